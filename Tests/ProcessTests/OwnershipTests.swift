import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Ownership of a data directory")
    struct OwnershipTests {
        @Test("Only the store process has the database open for writing, and the supervisor does not open it")
        func openForWriting() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                try await browser.addAnimal("Written")
                // The system chooses the worker of a connection, so requests are repeated until each worker has read.
                try await eventually("both workers had the database open") {
                    _ = try await Browser(server).get("/admin/animals")
                    return try await server.complete().workers.allSatisfy {
                        !ProcessTable.openFiles(of: $0.pid, named: "/store.sqlite").isEmpty
                    }
                }
                let family = try await server.complete()
                let store = try #require(family.store)
                let writers = server.processes.filter { process in
                    ProcessTable.openFiles(of: process.pid, named: "/store.sqlite").contains(where: \.isWritable)
                }
                #expect(writers.map(\.pid) == [store.pid])
                #expect(ProcessTable.openFiles(of: server.supervisor, named: "/store.sqlite").isEmpty)
                #expect(Set(server.processes.map(\.pid)) == family.pids)
            }
        }

        @Test(
            "A second server is rejected even if the lock file was deleted",
            arguments: [
                ["--workers", "2"], ["--in-process"],
            ])
        func withoutLock(arguments: [String]) async throws {
            try await Server.use { server in
                let before = try await server.complete()
                try FileManager.default.removeItem(atPath: server.directory.data + "/store.lock")
                let run = try await server.run(["serve", "--port", "0"] + arguments)
                #expect(run.exitCode == 1)
                #expect(run.errors.contains("Another server serves this data directory"), "\(run.errors)")
                try await Browser(server).addAnimal("Undisturbed")
                #expect(server.family == before)
            }
        }

        @Test(
            "A second server exits with 1 and names the first one, which continues undisturbed",
            arguments: [
                ["--workers", "2"], ["--in-process"],
            ])
        func second(arguments: [String]) async throws {
            try await Server.use { server in
                let before = try await server.complete()
                let run = try await server.run(["serve", "--port", "0"] + arguments)
                #expect(run.exitCode == 1)
                #expect(run.output == "")
                #expect(run.errors.contains("is in use by process \(server.supervisor) (zoo)."), "\(run.errors)")
                try await Browser(server).addAnimal("Undisturbed")
                // The command uses the store's socket, which the second server must not have replaced.
                let status = try await server.status("--json").json(ServedApplications.StatusTests.Report.self)
                #expect(status.store.answers == true)
                #expect(server.family == before)
            }
        }
    }
}
