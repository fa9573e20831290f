import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("However a server ends, no process of it is left")
    struct EndingTests {
        /// Workers and then the store have ten seconds each before they are killed.
        private static let bound: Duration = .seconds(25)

        @Test(
            "Killed under a load of reading and adding on 64 connections, the supervisor takes its children along: nothing acknowledged is lost or doubled, and the directory is served again",
            arguments: [false, true])
        func killed(duringDeploy: Bool) async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let load = Load(adding: try await Load.Addition(browser))
                await load.run(clients: 64, on: server, untilClosed: true) { answered in
                    if duringDeploy, answered == 1000 { server.program.send(SIGHUP) }
                    if answered == 1200 { server.program.send(SIGKILL) }
                    return true
                }
                #expect(await server.program.exitCode == 128 + SIGKILL)
                try await eventually("every child had ended by itself") { server.processes.isEmpty }
                let file = StoreFile(server.directory)
                #expect(try file.integrity() == ["ok"])
                // On the same port: nobody holds the socket any more.
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

        @Test("Told to end, it exits with 0, leaves no process and no status behind", arguments: [SIGTERM, SIGINT])
        func told(signal: Int32) async throws {
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

        @Test("SIGHUP while a server is starting is no reason to end")
        func hangUpAtStart() async throws {
            for _ in 0..<5 {
                try await TestDirectory.use { directory in
                    let program = try RunningProgram(
                        .zoo, ["serve", "--workers", "1", "--port", "0", "--data", directory.data], in: directory,
                        errors: directory.path("errors")
                    )
                    let watch = program.killIfLate(in: directory)
                    // By then it runs its own code.
                    while !FileManager.default.fileExists(atPath: directory.data), !Task.isCancelled { usleep(200) }
                    for _ in 0..<200 {
                        program.send(SIGHUP)
                        usleep(500)
                    }
                    #expect(await program.firstLine().contains("is served at"))
                    watch.cancel()
                    program.send(SIGTERM)
                    #expect(await program.exitCode == 0)
                }
            }
        }

        @Test(
            "Told to end at once it does not wait for what an idle connection may still send, as it does when it drains"
        )
        func atOnce() async throws {
            var times: [Int32: Duration] = [:]
            for signal in [SIGTERM, SIGINT] {
                try await Server.use { server in
                    let idle = try #require(KeptConnection(port: server.port))
                    guard case .answered(200, false) = await onThread({ idle.get("/login") }) else {
                        Issue.record("not answered"); return
                    }
                    let clock = ContinuousClock()
                    let begun = clock.now
                    server.program.send(signal)
                    #expect(await server.program.exitCode == 0)
                    times[signal] = clock.now - begun
                }
            }
            #expect(try #require(times[SIGINT]) < #require(times[SIGTERM]))
        }

        @Test("Told to end at once under a load of adding, it loses nothing that was acknowledged")
        func atOnceUnderLoad() async throws {
            try await Server.use { server in
                let load = Load(adding: try await Load.Addition(Browser(server)))
                await load.run(clients: 8, on: server, untilClosed: true) { answered in
                    if answered == 200 { server.program.send(SIGINT) }
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
            "Told to end while the store or a worker is stopped, it ends all the same", arguments: ["store", "worker"])
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
            "Told to end just after a process was killed, it ends and starts nothing more",
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
