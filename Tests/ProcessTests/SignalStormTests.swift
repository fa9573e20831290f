import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Random signals")
    struct SignalStormTests {
        private static let signals = Explore.times(12, exploring: 200)
        private static let rounds = Explore.times(1, exploring: 5)

        @Test("Random deploys, kills and shutdowns leave no process, no zombie and no loss of acknowledged rows")
        func storm() async throws {
            for round in 0..<Self.rounds {
                var generator = TestSeed.generator(UInt64(round))
                try await Server.use { server in
                    let browser = Browser(server)
                    let load = Load(adding: try await Load.Addition(browser))
                    try await load.run(clients: 4, on: server) {
                        for _ in 0..<Self.signals {
                            try await Self.strike(server, &generator)
                            // The next signal follows some requests later, answered or not, and so meets a process
                            // in any state.
                            let next = load.asked + Int.random(in: 0...20, using: &generator)
                            try await eventually("the load goes on, AVIARY_SEED=\(TestSeed.value)") {
                                load.asked >= next
                            }
                        }
                    }
                    // The server still serves before it is ended.
                    try await eventually("it served again") {
                        server.family.map { $0.isComplete && $0.state == "serving" } ?? false
                    }
                    #expect(ProcessTable.children(of: server.supervisor).filter(\.isZombie) == [])
                    try await browser.postThroughKills("/admin/animals", try await browser.newAnimal("After the storm"))

                    let ending =
                        Bool.random(using: &generator) ? [SIGTERM, SIGHUP, SIGINT] : [SIGHUP, SIGINT, SIGTERM, SIGHUP]
                    let children = ProcessTable.children(of: server.supervisor).map(\.pid)
                    for signal in ending {
                        server.program.send(signal)
                        if Bool.random(using: &generator), let child = children.randomElement(using: &generator) {
                            kill(child, SIGKILL)
                        }
                    }
                    #expect(await server.program.exitCode == 0)
                    try await eventually("no process was left") {
                        ProcessTable.mentioning(server.directory.data).isEmpty
                    }
                    let file = StoreFile(server.directory)
                    #expect(try file.integrity() == ["ok"])
                    let stored = try file.animals()
                    #expect(load.added.all.allSatisfy { stored[$0.key] == $0.value })
                    #expect(Set(stored.values).count == stored.count)
                    #expect(stored.values.contains("After the storm"))
                }
            }
        }

        @Test("Signals right after the start end the server without leaving a process", arguments: 0..<3)
        func early(round: Int) async throws {
            try await TestDirectory.use { directory in
                let program = try RunningProgram(
                    .zoo, ["serve", "--workers", "2", "--port", "0", "--data", directory.data], in: directory,
                    errors: directory.path("errors")
                )
                let watch = program.killIfLate(in: directory)
                defer { watch.cancel() }
                // The signals follow as soon as there is a child, or two.
                try await eventually("there were children") {
                    ProcessTable.children(of: program.processID).count > round
                }
                for signal in [SIGHUP, SIGTERM, SIGHUP, SIGINT] { program.send(signal) }
                #expect(await program.exitCode == 0)
                try await eventually("no process was left") { ProcessTable.mentioning(directory.data).isEmpty }
            }
        }

        private static func strike(_ server: Server, _ generator: inout SeededGenerator) async throws {
            // Processes that are starting are left alone: five such deaths in a row are a crash loop, which ends
            // the server.
            let ready = server.family.map { $0.workers + [$0.store].compactMap { $0 } }?.filter(\.isReady) ?? []
            guard let child = (ready + ready + (server.family?.leaving ?? [])).randomElement(using: &generator) else {
                return
            }
            switch Int.random(in: 0...9, using: &generator) {
            case 0...2: server.program.send(SIGHUP)
            case 3...5: child.send(SIGTERM)
            case 6: child.send(SIGINT)
            case 7:
                child.send(SIGSTOP)
                // The process is stopped for a while only. One that was just killed does not stop any more.
                try await eventually("it is stopped") {
                    ProcessTable.entry(child.pid).map { $0.isStopped || $0.isZombie } ?? true
                }
                child.send(SIGCONT)
            default: child.send(SIGKILL)
            }
        }
    }
}
