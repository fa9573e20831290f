import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Restarting killed processes")
    struct KillTests {
        @Test("A draft survives the end of every worker and the store, and is saved once")
        func draftGoesOn() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let form = try await browser.newAnimal("Okapi")
                #expect(try await browser.keep(form).status == 204)
                let before = try await server.complete()
                for worker in before.workers { worker.send(SIGKILL) }
                before.store?.send(SIGKILL)
                let after = try await server.complete(restarts: 3)
                #expect(after.supervisor == before.supervisor)
                #expect(after.pids.intersection(before.pids) == [before.supervisor])
                #expect(after.store?.restarts == 1)
                #expect(after.workers.map(\.restarts) == [1, 1])
                let page = try await browser.getThroughKills("/admin/animals/new")
                #expect(page.body.contains(#"name="name" value="Okapi""#))
                let sheet = try Form(sheetOf: page).with("name", "Okapi").with("diet", "herbivorous")
                #expect(sheet["draft"] == form["draft"] && sheet["id"] == form["id"])
                try await browser.postThroughKills("/admin/animals", sheet)
                // A browser that did not receive the answer sends the form again.
                #expect(try await browser.post("/admin/animals", sheet).status == 303)
                #expect(try await browser.rows(named: "Okapi") == 1)
                #expect(try StoreFile(server.directory).animals() == [try #require(form["id"]): "Okapi"])
            }
        }

        @Test("When a worker is killed, other workers continue to answer and the store is not restarted")
        func workersOnly() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let before = try await server.complete()
                for (index, worker) in before.workers.enumerated() {
                    worker.send(SIGKILL)
                    _ = try await browser.getThroughKills("/admin/animals")
                    _ = try await server.complete(restarts: index + 1)
                }
                let after = try await server.complete(restarts: 2)
                #expect(after.store == before.store)
                try await browser.addAnimal("Through a new worker")
            }
        }

        @Test("A form that is sent while the store restarts waits for the store and is saved")
        func waitsForStore() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let form = try await browser.newAnimal("Patient")
                try await server.store().send(SIGKILL)
                // The form is not refused while it may still wait. If the machine starts no store in that time,
                // the form is sent again.
                try await eventually("the form is stored") {
                    let begun = ContinuousClock.now
                    let answer = try await browser.post("/admin/animals", form)
                    #expect(
                        answer.status == 303 || ContinuousClock.now - begun >= FailingStores.StoppedStoreTests.deadline)
                    return answer.status == 303
                }
                #expect(try await browser.rows(named: "Patient") == 1)
            }
        }

        @Test("A supervisor without free descriptors retries until it can start the process")
        func noDescriptors() async throws {
            try await Server.use { server in
                let family = try await server.complete()
                try DescriptorLimit.set("4:", of: server.supervisor)
                family.workers[0].send(SIGKILL)
                // The status file needs a descriptor as well; the log does not.
                try await eventually("it had tried twice") {
                    try server.errors().components(separatedBy: "worker 1 could not be started: ").count > 2
                }
                _ = try await Browser(server).getThroughKills("/admin/animals")
                try DescriptorLimit.set("1024:", of: server.supervisor)
                let after = try await server.complete(restarts: 1)
                #expect(after.store == family.store && after.workers[1] == family.workers[1])
                #expect(after.workers[0].restarts == 1)
            }
        }

        @Test("The supervisor leaves no zombie processes")
        func noZombies() async throws {
            try await Server.use { server in
                for round in 1...2 {
                    let family = try await server.complete(restarts: (round - 1) * 2)
                    family.workers[0].send(SIGKILL)
                    family.store?.send(SIGKILL)
                    _ = try await server.complete(restarts: round * 2)
                }
                try await eventually("the supervisor had waited for every child") {
                    ProcessTable.children(of: server.supervisor).allSatisfy { !$0.isZombie }
                }
                #expect(ProcessTable.children(of: server.supervisor).count == 3)
            }
        }
    }
}
