import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Deploying with SIGHUP")
    struct DeployTests {
        private static let deploys = Explore.times(1, exploring: 5)
        private static let requests = Explore.times(200, exploring: 5000)

        @Test("Deploys that add properties fail no request under load")
        func additive() async throws {
            try await Self.use { server, program in
                let browser = Browser(server)
                try await browser.addAnimal("Of the first program")
                let load = Load(adding: try await Load.Addition(browser))
                try await load.run(clients: 8, on: server) {
                    for round in 1...Self.deploys {
                        try program.install(.grownZoo, growth: "\(round)")
                        let before = load.answered
                        server.program.send(SIGHUP)
                        try await server.deployed(round)
                        try await eventually("the load went on") {
                            load.answered >= before + Self.requests
                        }
                    }
                }
                #expect(load.failures == [])
                let file = StoreFile(server.directory)
                let columns = ["nickname", "legs", "keeperName", "isRare", "origin", "cage"].prefix(Self.deploys)
                #expect(try Self.columns(file).suffix(columns.count) == Array(columns)[...])
                #expect(try file.tables().contains("Keeper"))
                let stored = try file.animals()
                #expect(load.added.all.allSatisfy { stored[$0.key] == $0.value })
                #expect(stored.count == load.added.all.count + 1)
                #expect(try await server.complete().restarts == 0)
                #expect(try server.errors().components(separatedBy: "deploy finished").count == Self.deploys + 1)
            }
        }

        @Test("A deploy whose schema would lose values is rejected with the reason and ends no process")
        func refused() async throws {
            try await Self.use { server, program in
                try program.install(.grownZoo, growth: "0 lost-diet")
                let before = try await server.complete()
                server.program.send(SIGHUP)
                try await Self.expect(server, toTell: "deploy refused, nothing was ended: Animal.diet")
                #expect(server.family == before)
                try await Browser(server).addAnimal("As before")
                // The refused program does not block the next one, which fits.
                try program.install(.zoo)
                server.program.send(SIGHUP)
                try await server.deployed(1)
            }
        }

        @Test("The values of a refused program are dropped by its deploy once the command permits it")
        func dropped() async throws {
            try await Self.use { server, program in
                try await Browser(server).addAnimal("Without a diet")
                try program.install(.grownZoo, growth: "0 lost-diet")
                server.program.send(SIGHUP)
                try await Self.expect(server, toTell: "migrate --drop Animal.diet --on-deploy")
                let refused = try await Self.migrate(program, server, [])
                #expect(refused.exitCode == 1 && refused.text.contains("--drop Animal.diet --on-deploy"), "\(refused)")
                #expect(try Self.columns(StoreFile(server.directory)).contains("diet"))
                let permitted = try await Self.migrate(program, server, ["--on-deploy"])
                #expect(permitted.exitCode == 0 && permitted.text.contains("SIGHUP"), "\(permitted)")
                #expect(try Self.columns(StoreFile(server.directory)).contains("diet"))
                server.program.send(SIGHUP)
                try await server.deployed(1)
                #expect(try !Self.columns(StoreFile(server.directory)).contains("diet"))
                let permission = server.directory.data + "/drop-on-deploy.json"
                #expect(!FileManager.default.fileExists(atPath: permission))
            }
        }

        @Test("A deploy of a program that lacks a stored property is rejected")
        func back() async throws {
            try await Self.use { server, program in
                try program.install(.grownZoo, growth: "1")
                server.program.send(SIGHUP)
                let grown = try await server.deployed(1)
                try program.install(.zoo)
                server.program.send(SIGHUP)
                try await Self.expect(server, toTell: "deploy refused")
                #expect(server.family == grown)
            }
        }

        @Test("A deploy that old workers cannot read ends them first, and requests wait in the socket")
        func exclusive() async throws {
            try await Self.use { server, program in
                let load = Load(adding: try await Load.Addition(Browser(server)))
                try await load.run(clients: 8, on: server) {
                    try await eventually("the load had begun") { load.answered >= 100 }
                    try program.install(.grownZoo, growth: "0 unique-friends")
                    server.program.send(SIGHUP)
                    try await server.deployed(1)
                    let before = load.answered
                    try await eventually("the load went on") { load.answered >= before + 100 }
                }
                #expect(load.failures == [])
                #expect(try StoreFile(server.directory).animals() == load.added.all)
                let log = try server.errors()
                #expect(log.contains("deploy begun change=exclusive"))
                let drained = try #require(log.range(of: "worker 2 ended")),
                    store = try #require(log.range(of: "store is draining"))
                #expect(drained.lowerBound < store.lowerBound)
            }
        }

        @Test(
            "A deploy of a program that cannot report its migration is rejected",
            arguments: [
                #"[ "$1" = migrate ] && exit 3"#, #"[ "$1" = migrate ] && { echo nonsense; exit 0; }"#,
                #"[ "$1" = migrate ] && kill -SEGV $$"#,
            ])
        func unusable(script: String) async throws {
            try await Self.use { server, program in
                try program.install(script: script)
                let before = try await server.complete()
                server.program.send(SIGHUP)
                try await Self.expect(server, toTell: "deploy refused, nothing was ended: the new program")
                #expect(server.family == before)
            }
        }

        @Test("A deploy without a program is rejected, and dead processes restart from the running program")
        func missing() async throws {
            try await Self.use { server, program in
                let before = try await server.complete()
                try FileManager.default.removeItem(atPath: program.path)
                server.program.send(SIGHUP)
                try await Self.expect(server, toTell: "deploy refused")
                #expect(server.family == before)
                before.store?.send(SIGKILL)
                before.workers[0].send(SIGKILL)
                _ = try await server.complete(restarts: 2)
                try await Browser(server).addAnimal("From a file without a name")
            }
        }

        @Test("A process that dies before SIGHUP restarts as the running program, not as the one on disk")
        func notHalf() async throws {
            try await Self.use { server, program in
                try program.install(.grownZoo, growth: "1")
                let before = try await server.complete()
                before.store?.send(SIGKILL)
                before.workers[0].send(SIGKILL)
                _ = try await server.complete(restarts: 2)
                #expect(try !Self.columns(StoreFile(server.directory)).contains("nickname"))
                #expect(try !StoreFile(server.directory).tables().contains("Keeper"))
            }
        }

        @Test(
            "A deploy whose store or workers die repeatedly is rolled back without failing a read",
            arguments: ["store-process", "worker-process"])
        func dying(command: String) async throws {
            try await Self.use { server, program in
                let before = try await server.complete()
                try program.install(script: #"[ "$1" = \#(command) ] && exit 9"#)
                let load = try await Load(reading: Browser(server))
                try await load.run(clients: 4, on: server) {
                    server.program.send(SIGHUP)
                    try await Self.expect(server, toTell: "deploy given up:")
                }
                #expect(load.failures == [])
                let after = try await server.complete()
                #expect(after.workers.map(\.pid) == before.workers.map(\.pid))
                // Stores replace one another in a place, so their deaths count. A worker that never served does
                // not count.
                #expect(after.restarts == (command == "store-process" ? 5 : 0))
                try await Browser(server).addAnimal("On the program before")
                #expect(try server.errors().contains("died 5 times in a row"))
                #expect(await server.stop() == 0)
            }
        }

        @Test("A termination signal during a deploy ends old and new processes", arguments: [SIGTERM, SIGINT])
        func endsDuringDeploy(signal: Int32) async throws {
            try await Self.use { server, program in
                // A worker that never becomes ready delays the deploy.
                try program.install(script: #"[ "$1" = worker-process ] && exec sleep 600"#)
                server.program.send(SIGHUP)
                try await eventually("the new worker was there") { server.family?.coming.count == 1 }
                let pids = ProcessTable.children(of: server.supervisor).map(\.pid)
                #expect(pids.count == 4)
                let status = try await server.run("status").output
                #expect(status.contains("state       deploying"))
                #expect(status.contains("coming      \(server.family?.coming.first?.pid ?? 0)"), "\(status)")
                server.program.send(signal)
                #expect(await server.program.exitCode == 0)
                #expect(pids.allSatisfy { ProcessTable.entry($0) == nil })
            }
        }

        /// Runs a server whose program can be replaced.
        private static func use(_ body: (Server, InstalledProgram) async throws -> Void) async throws {
            try await TestDirectory.use { directory in
                let program = try InstalledProgram(.zoo, in: directory)
                try await body(try await Server.start(in: directory, installedAt: program.path), program)
            }
        }

        /// Runs `migrate --drop Animal.diet` of the installed program, and returns all that it prints.
        private static func migrate(
            _ program: InstalledProgram, _ server: Server, _ flags: [String]
        ) async throws -> (exitCode: Int32, text: String) {
            let errors = server.directory.path("errors-\(UUID().uuidString)")
            let running = try RunningProgram(
                .grownZoo, ["migrate", "--drop", "Animal.diet", "--data", server.directory.data] + flags,
                in: server.directory, errors: errors, installedAt: program.path)
            let watch = running.killIfLate(in: server.directory, after: Patience.bound)
            defer { watch.cancel() }
            let output = await running.restOfOutput()
            let exitCode = await running.exitCode
            return (exitCode, output + String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
        }

        private static func expect(_ server: Server, toTell text: String) async throws {
            try await eventually("it told: \(text)") { try server.errors().contains(text) }
            try await eventually("it was over") { server.family?.state == "serving" }
        }

        private static func columns(_ file: StoreFile) throws -> [String] {
            try file.rows(#"SELECT name FROM pragma_table_info('Animal') ORDER BY cid"#).flatMap { $0 }
        }
    }
}
