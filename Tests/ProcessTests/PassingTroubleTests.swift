import CSQLite
import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Temporary failures of the store")
    struct PassingTroubleTests {
        private static let mebibyte = 1 << 20

        @Test(
            "A store that dies on a full disk is retried until there is room, and pages are served meanwhile",
            .enabled(if: mayMount, "Mounting a file system needs root."), arguments: [SIGKILL, SIGHUP]
        )
        func fullDisk(signal: Int32) async throws {
            try await withSmallDisk { server in
                let browser = Browser(server)
                try await browser.addAnimal("Before")
                let before = try await server.complete()
                let ballast = server.directory.data + "/ballast"
                try Self.fill(ballast)
                let form = try await browser.newAnimal("Into a full disk")
                if signal == SIGKILL { before.store?.send(SIGKILL) } else { server.program.send(signal) }
                try await eventually("the store had been tried three times") {
                    try server.errors().components(separatedBy: "store cannot start yet").count > 3
                }
                #expect(try await browser.get("/admin/animals").status == 200)
                #expect(try await browser.post("/admin/animals", form).status == 503)
                try FileManager.default.removeItem(atPath: ballast)
                try await browser.postThroughKills("/admin/animals", form)
                #expect(try await browser.rows(named: "Into a full disk") == 1)
                #expect(try await browser.rows(named: "Before") == 1)
                let after = try await server.complete()
                #expect(after.supervisor == before.supervisor)
                if signal == SIGKILL {
                    #expect(after.workers == before.workers)
                    #expect(after.store?.restarts == 1)
                }
                #expect(await server.stop() == 0)
            }
        }

        @Test(
            "A status that a full disk prevented is written as soon as there is room",
            .enabled(if: mayMount, "Mounting a file system needs root.")
        )
        func status() async throws {
            try await withSmallDisk { server in
                let before = try await server.complete()
                let ballast = server.directory.data + "/ballast"
                try Self.fill(ballast)
                before.workers[0].send(SIGKILL)
                try await eventually("the worker was back") {
                    try server.errors().components(separatedBy: "worker 1 is ready").count == 3
                }
                #expect(server.family?.workers.contains(before.workers[0]) != false)
                try FileManager.default.removeItem(atPath: ballast)
                let after = try await server.complete(restarts: 1)
                #expect(after.workers[0].pid != before.workers[0].pid)
                // The message appears once, however many attempts there were.
                #expect(try server.errors().components(separatedBy: "status could not be told").count == 2)
            }
        }

        @Test("A store that dies while another program locks the file is retried until the lock is released")
        func heldFile() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let before = try await server.complete()
                let form = try await browser.newAnimal("Patient")
                let holder = try WriteLock(StoreFile(server.directory).path)
                before.store?.send(SIGKILL)
                try await eventually("the store had been tried twice") {
                    try server.errors().components(separatedBy: "store cannot start yet").count > 2
                }
                #expect(try await browser.get("/admin/animals").status == 200)
                holder.release()
                try await browser.postThroughKills("/admin/animals", form)
                let after = try await server.complete(restarts: 1)
                #expect(after.workers == before.workers)
                #expect(after.store?.restarts == 1)
                #expect(try server.errors().contains("another process holds the store's file"))
            }
        }

        private static let mayMount = geteuid() == 0

        /// Runs a server with its data on a file system of 4 MiB.
        private func withSmallDisk(_ body: (Server) async throws -> Void) async throws {
            try await TestDirectory.use { directory in
                try FileManager.default.createDirectory(atPath: directory.data, withIntermediateDirectories: true)
                try #require(mount("tmpfs", directory.data, "tmpfs", 0, "size=\(4 * Self.mebibyte),mode=700") == 0)
                defer { umount2(directory.data, Int32(MNT_DETACH)) }
                try await body(try await Server.start(in: directory))
            }
        }

        /// Writes until the disk is full.
        private static func fill(_ path: String) throws {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let bytes = [UInt8](repeating: 0, count: 4096)
            while write(descriptor, bytes, bytes.count) > 0 {}
            try #require(errno == ENOSPC)
        }
    }
}

/// The write lock of another program's transaction. No other process can write to the file.
private final class WriteLock {
    private var connection: OpaquePointer?

    init(_ path: String) throws {
        try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        sqlite3_busy_timeout(connection, 10_000)
        try #require(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    }

    func release() {
        sqlite3_close(connection)
        connection = nil
    }

    deinit { sqlite3_close(connection) }
}
