import Foundation
import TestSupport
import Testing

extension FailingStores {
    @Suite("Unresponsive store")
    struct StoppedStoreTests {
        private struct Refusal: Decodable {
            let error: String
        }

        /// The product's own deadline of a write.
        static let deadline: Duration = .seconds(5)
        /// The longest time of an answer.
        ///
        /// A busy machine may need longer than the deadline, so the limit is strict only when exploring.
        private static let latest: Duration = deadline + (Explore.isOn ? .seconds(4) : Patience.bound)

        @Test("While the store is stopped, pages are served, and writes answer 503 at their deadline without effect")
        func stopped() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let id = try await browser.addAnimal("Stays")
                let form = try await browser.newAnimal("Never saved")
                let deletion = Form([
                    "csrf": try await browser.token(), "changeset": UUID().uuidString.lowercased(), "id": id,
                ])
                let store = try await server.store()
                store.send(SIGSTOP)
                try await eventually("the store was stopped") { ProcessTable.entry(store.pid)?.isStopped == true }

                async let deleted = timed {
                    try await browser.post("/admin/animals/delete", deletion, headers: ["Accept": "application/json"])
                }
                async let saved = timed { try await browser.post("/admin/animals", form) }
                for _ in 0..<20 { #expect(try await browser.get("/admin/animals").status == 200) }
                #expect(try await browser.get("/admin/animals/\(id)").status == 200)

                let (delete, deleteTime) = try await deleted
                let (save, saveTime) = try await saved
                for (answer, time) in [(delete, deleteTime), (save, saveTime)] {
                    #expect(answer.status == 503)
                    #expect(Int(answer.header("Retry-After").first ?? "") ?? 0 > 0)
                    // The answer took as long as the deadline, so the server has tried.
                    #expect(time >= Self.deadline - .milliseconds(100) && time <= Self.latest, "\(time)")
                }
                #expect(delete.contentType?.hasPrefix("application/json") == true)
                #expect(try !delete.json(Refusal.self).error.isEmpty)
                #expect(save.body.contains(#"name="name" value="Never saved""#))
                #expect(ProcessTable.entry(store.pid)?.isStopped == true)

                store.send(SIGCONT)
                // Requests that waited in the socket are handled before this one, on any connection; each worker
                // has its own.
                for index in 0..<8 { try await Browser(server).addAnimal("Afterwards \(index)") }
                let animals = try StoreFile(server.directory).animals()
                #expect(animals[id] == "Stays")
                #expect(!animals.values.contains("Never saved"))
                #expect(try await server.store() == store)

                // The same form is stored when its author sends it again.
                #expect(try await browser.post("/admin/animals", form).status == 303)
                #expect(try await browser.rows(named: "Never saved") == 1)
            }
        }

        @Test("While the store is dead and not restarted, saves answer 503 by their deadline without effect")
        func dead() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                try await browser.addAnimal("There before")
                let form = try await browser.newAnimal("Typed in vain?")
                let store = try await server.store()
                // A stopped supervisor restarts nothing.
                kill(server.supervisor, SIGSTOP)
                try await eventually("the supervisor was stopped") {
                    ProcessTable.entry(server.supervisor)?.isStopped == true
                }
                store.send(SIGKILL)

                async let saved = timed { try await browser.post("/admin/animals", form) }
                for _ in 0..<20 { #expect(try await browser.rows(named: "There before") == 1) }
                let (save, time) = try await saved
                #expect(save.status == 503)
                #expect(time <= Self.latest, "\(time)")
                #expect(Int(save.header("Retry-After").first ?? "") ?? 0 > 0)
                #expect(save.body.contains(#"name="name" value="Typed in vain?""#))

                kill(server.supervisor, SIGCONT)
                try await browser.postThroughKills(
                    "/admin/animals", try Form(sheetOf: save).with("name", "Typed in vain?").with("diet", "herbivorous")
                )
                #expect(try await browser.rows(named: "Typed in vain?") == 1)
            }
        }

        @Test("Many saves that wait for a stopped store all answer 503 with their text and without effect")
        func many() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let form = try await browser.newAnimal("Waiting")
                let store = try await server.store()
                store.send(SIGSTOP)
                try await eventually("the store was stopped") { ProcessTable.entry(store.pid)?.isStopped == true }
                try await withThrowingTaskGroup(of: (Answer, Duration).self) { group in
                    for index in 0..<100 {
                        group.addTask {
                            try await timed {
                                try await browser.post("/admin/animals", form.another(named: "Waiting \(index)"))
                            }
                        }
                    }
                    for _ in 0..<10 { #expect(try await browser.get("/admin/animals").status == 200) }
                    for try await (answer, time) in group {
                        #expect(answer.status == 503)
                        #expect(Int(answer.header("Retry-After").first ?? "") ?? 0 > 0)
                        #expect(time <= Self.latest, "\(time)")
                        // The worker at its limit refuses at once; otherwise the sheet comes back as it was typed,
                        // because the store is away.
                        #expect(
                            answer.body.contains(#"name="name" value="Waiting "#) || time < Self.deadline
                                || answer.body.contains("The server is busy"))
                    }
                }
                store.send(SIGCONT)
                for index in 0..<8 { try await Browser(server).addAnimal("Afterwards \(index)") }
                #expect(try StoreFile(server.directory).animals().values.allSatisfy { $0.hasPrefix("Afterwards") })
                #expect(try await server.complete().restarts == 0)
            }
        }

        private func timed(_ body: () async throws -> Answer) async throws -> (Answer, Duration) {
            let clock = ContinuousClock()
            let start = clock.now
            let answer = try await body()
            return (answer, clock.now - start)
        }
    }
}
