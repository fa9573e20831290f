import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Rolling restart with SIGHUP")
    struct RollingRestartTests {
        private static let restarts = Explore.times(2, exploring: 20)
        private static let requests = Explore.times(600, exploring: 200_000)

        @Test("A rolling restart under load fails no request, loses no acknowledged row and counts no restart")
        func underLoad() async throws {
            try await Server.use { server in
                let before = try await server.complete()
                let load = Load(adding: try await Load.Addition(Browser(server)))
                let after = try await load.run(clients: 8, on: server) {
                    for round in 1...Self.restarts {
                        // Each round has its share of the requests.
                        try await eventually("the load went on") {
                            load.answered >= Self.requests * round / Self.restarts
                        }
                        server.program.send(SIGHUP)
                        try await server.deployed(round)
                    }
                    return try await server.complete()
                }
                #expect(load.failures == [])
                #expect(load.answered >= Self.requests)
                #expect(after.restarts == 0)
                #expect(after.pids.intersection(before.pids) == [before.supervisor])
                let stored = try StoreFile(server.directory).animals()
                #expect(load.added.all.count >= Self.restarts)
                #expect(load.added.all == stored)
                #expect(ProcessTable.children(of: server.supervisor).map(\.isZombie) == [false, false, false])
                #expect(await server.stop() == 0)
                let log = try server.errors()
                #expect(log.components(separatedBy: "deploy begun").count == Self.restarts + 1)
                #expect(log.components(separatedBy: "deploy finished").count == Self.restarts + 1)
            }
        }

        @Test("Each event of a process's life is one line of the log")
        func reported() async throws {
            try await Server.use { server in
                let family = try await server.complete()
                try await Browser(server).addAnimal("Quietly")
                family.workers[0].send(SIGKILL)
                let middle = try await server.complete(restarts: 1)
                server.program.send(SIGHUP)
                let last = try await server.deployed(1)
                #expect(await server.stop() == 0)
                // The lines without their times and durations.
                let lines = try server.errors().split(separator: "\n").map { line in
                    String(
                        line.replacing(#/^\S+ /#, with: "").replacing(#/supervisor\[\d+\]:? /#, with: "")
                            .replacing(#/ (after|next)="[^"]+"/#, with: ""))
                }
                func born(_ name: String, _ member: Family.Member?) -> [String] {
                    [
                        "notice \(name) started pid=\(member?.pid ?? 0)",
                        "notice \(name) is ready pid=\(member?.pid ?? 0)",
                    ]
                }
                func ended(_ name: String, _ member: Family.Member?) -> [String] {
                    [#"notice \#(name) ended end="exit code 0" pid=\#(member?.pid ?? 0)"#]
                }
                func left(_ name: String, _ member: Family.Member?) -> [String] {
                    ["notice \(name) is draining pid=\(member?.pid ?? 0)"] + ended(name, member)
                }
                var expected = born("store", family.store) + born("store", last.store)
                expected += left("store", family.store) + ended("store", last.store)
                for (index, name) in ["worker 1", "worker 2"].enumerated() {
                    expected += born(name, family.workers[index]) + born(name, last.workers[index])
                    expected += left(name, middle.workers[index]) + ended(name, last.workers[index])
                    expected.append(
                        "notice \(name) is replaced by=\(last.workers[index].pid) pid=\(middle.workers[index].pid)")
                }
                expected += [
                    #"warning worker 1 died end="signal 9" pid=\#(family.workers[0].pid)"#,
                    "notice worker 1 started again pid=\(middle.workers[0].pid) restarts=1",
                    "notice worker 1 is ready pid=\(middle.workers[0].pid)",
                    "notice deploy begun change=none", "notice deploy finished change=none",
                    "notice the server is ending",
                ]
                #expect(lines.sorted() == expected.sorted())
            }
        }

        @Test("Repeated SIGHUP during a deploy causes exactly one further deploy")
        func again() async throws {
            try await Self.useHeld { server, release in
                server.program.send(SIGHUP)
                try await eventually("the deploy has begun") { server.family?.coming.count == 1 }
                for _ in 0..<5 {
                    server.program.send(SIGHUP)
                    try await Task.sleep(for: .milliseconds(5))  // keeps the signals from merging into one
                }
                try release()
                try await server.deployed(2)
                // A third deploy would have begun by the time that a command has ended.
                _ = try await server.run("status")
                #expect(try await server.complete().replacements == 2)
                #expect(server.family?.state == "serving")
            }
        }

        @Test(
            "A process that is killed during a deploy counts as one restart, and the deploy finishes",
            arguments: ["store", "worker"])
        func killed(role: String) async throws {
            try await Self.useHeld { server, release in
                server.program.send(SIGHUP)
                try await eventually("the new store is there, and the first of the new workers is waited for") {
                    server.family.map {
                        $0.store?.replacements == 1 && $0.store?.isReady == true && $0.coming.count == 1
                    } ?? false
                }
                let victim = try #require(role == "store" ? server.family?.store : server.family?.workers.last)
                victim.send(SIGKILL)
                try await eventually("its death is seen") { server.family?.restarts == 1 }
                try release()
                let after = try await server.deployed(1)
                #expect(after.restarts == 1)
                try await Browser(server).addAnimal("Afterwards")
            }
        }

        /// Runs a server whose next programs' workers do not become ready before the release.
        ///
        /// The deploy lasts until then.
        private static func useHeld(
            _ body: (_ server: Server, _ release: () throws -> Void) async throws -> Void
        ) async throws {
            try await TestDirectory.use { directory in
                let program = try InstalledProgram(.zoo, in: directory)
                let server = try await Server.start(in: directory, installedAt: program.path)
                let hold = directory.path("hold")
                try Data().write(to: URL(filePath: hold))
                try program.install(
                    script: #"[ "$1" = worker-process ] && while [ -e '\#(hold)' ]; do sleep 0.02; done"#)
                try await body(server) { try FileManager.default.removeItem(atPath: hold) }
            }
        }
    }
}
