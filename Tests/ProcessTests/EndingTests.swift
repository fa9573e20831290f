import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Ending all processes of a server")
    struct EndingTests {
        @Test(
            "A killed supervisor ends its children, and no acknowledged row is lost or duplicated",
            arguments: [false, true])
        func killed(duringDeploy: Bool) async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, port: try FixedPort.next())
                let browser = Browser(server)
                let load = Load(adding: try await Load.Addition(browser))
                let (isDeploying, isKilled) = (Flag(), Flag())
                // A deploy closes connections too, and its clients go on until they are refused.
                await load.run(clients: 64, on: server, untilClosed: !duringDeploy) { _ in
                    let added = load.added.count
                    if duringDeploy, added >= 48, isDeploying.raise() { server.program.send(SIGHUP) }
                    if added >= 64, isKilled.raise() { server.program.send(SIGKILL) }
                    return true
                }
                #expect(await server.program.exitCode == 128 + SIGKILL)
                try await eventually("every child had ended by itself") { server.processes.isEmpty }
                let file = StoreFile(server.directory)
                #expect(try file.integrity() == ["ok"])
                // The same port is free: no process holds the socket any more.
                let again = try await Server.start(in: server.directory, port: server.port)
                let stored = try file.animals()
                #expect(load.added.all.count >= 64)
                #expect(load.added.all.allSatisfy { stored[$0.key] == $0.value })
                #expect(Set(stored.values).count == stored.count)
                #expect(stored.values.allSatisfy { $0.hasPrefix("Row ") })
                try await Browser(again).addAnimal("After all")
                #expect(try await again.complete().restarts == 0)
                #expect(await again.stop() == 0)
            }
        }

        @Test(
            "A termination signal ends every process with exit code 0 and removes the status file",
            arguments: [SIGTERM, SIGINT])
        func reported(signal: Int32) async throws {
            try await Server.use { server in
                try await Browser(server).addAnimal("Kept")
                server.program.send(signal)
                #expect(await server.program.exitCode == 0)
                #expect(server.processes.isEmpty)
                #expect(server.family == nil)
                #expect(!FileManager.default.fileExists(atPath: server.directory.data + "/status.json"))
                #expect(try StoreFile(server.directory).animals().values.sorted() == ["Kept"])
            }
        }

        @Test("SIGHUP during the start does not end the server")
        func hangUpAtStart() async throws {
            for _ in 0..<Explore.times(2, exploring: 10) {
                try await TestDirectory.use { directory in
                    let program = try RunningProgram(
                        .zoo, ["serve", "--workers", "1", "--port", "0", "--data", directory.data], in: directory,
                        errors: directory.path("errors")
                    )
                    let watch = program.killIfLate(in: directory)
                    await onThread {
                        // By then the program runs its own code. The test below detects one that ends without a
                        // directory.
                        while !FileManager.default.fileExists(atPath: directory.data),
                            ProcessTable.entry(program.processID)?.isZombie == false
                        { usleep(200) }
                        // A pause makes these several signals and not one pending signal.
                        for _ in 0..<200 {
                            program.send(SIGHUP)
                            usleep(500)
                        }
                    }
                    #expect(await program.firstLine().contains("is served at"))
                    watch.cancel()
                    program.send(SIGTERM)
                    #expect(await program.exitCode == 0)
                }
            }
        }

        @Test("SIGINT closes idle connections at once, and SIGTERM lets them linger")
        func atOnce() async throws {
            // A worker that drains waits for at least a second, however quick the machine is. A worker that ends
            // at once does not wait, so it takes less sooner or later, however slow the machine is.
            #expect(try await Self.wait(ofIdleConnectionAfter: SIGTERM) >= .seconds(1))
            try await eventually("an idle connection is closed in less than a second") {
                try await Self.wait(ofIdleConnectionAfter: SIGINT) < .seconds(1)
            }
        }

        /// Returns the time from the signal until a connection without a request is closed.
        private static func wait(ofIdleConnectionAfter signal: Int32) async throws -> Duration {
            var wait: Duration?
            try await Server.use { server in
                let idle = try #require(KeptConnection(port: server.port))
                guard case .answered(200, false) = await onThread({ idle.get("/login") }) else {
                    Issue.record("not answered"); return
                }
                let begun = ContinuousClock.now
                server.program.send(signal)
                #expect(await onThread({ idle.isClosed() }))
                wait = ContinuousClock.now - begun
                #expect(await server.program.exitCode == 0)
            }
            return try #require(wait)
        }

        @Test("SIGINT under load loses no acknowledged row")
        func atOnceUnderLoad() async throws {
            try await Server.use { server in
                let load = Load(adding: try await Load.Addition(Browser(server)))
                let isEnding = Flag()
                await load.run(clients: 8, on: server, untilClosed: true) { _ in
                    if load.added.count >= 8, isEnding.raise() { server.program.send(SIGINT) }
                    return true
                }
                #expect(await server.program.exitCode == 0)
                try await eventually("no process was left") { server.processes.isEmpty }
                let file = StoreFile(server.directory)
                let stored = try file.animals()
                #expect(load.added.all.count >= 8)
                #expect(load.added.all.allSatisfy { stored[$0.key] == $0.value })
                #expect(Set(stored.values).count == stored.count)
                #expect(try file.integrity() == ["ok"])
            }
        }

        @Test(
            "A termination signal ends the server although a process is stopped", arguments: ["store", "worker"])
        func stopped(role: String) async throws {
            try await Server.use { server in
                let family = try await server.complete()
                let child = try #require(role == "store" ? family.store : family.workers.first)
                child.send(SIGSTOP)
                try await eventually("it was stopped") { ProcessTable.entry(child.pid)?.isStopped == true }
                server.program.send(SIGTERM)
                try await eventually("every process had ended") { server.processes.isEmpty }
                #expect(await server.program.exitCode == 0)
            }
        }

        @Test(
            "A termination signal just after a process was killed ends the server without a restart",
            arguments: ["store", "worker"])
        func whileRestarting(role: String) async throws {
            try await Server.use { server in
                let family = try await server.complete()
                (role == "store" ? family.store : family.workers.first)?.send(SIGKILL)
                server.program.send(SIGTERM)
                try await eventually("every process had ended") { server.processes.isEmpty }
                #expect(await server.program.exitCode == 0)
                #expect(server.family == nil)
            }
        }
    }
}
