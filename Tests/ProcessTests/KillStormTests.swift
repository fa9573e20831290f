import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Durability under repeated kills")
    struct KillStormTests {
        @Test("Repeated kills of the store lose no acknowledged record and store none twice")
        func storm() async throws {
            let kills = Explore.times(4, exploring: 20)
            try await Server.use { server in
                let storm = Storm()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for client in 0..<4 {
                        group.addTask { try await storm.add(as: client, to: server) }
                    }
                    defer { storm.end() }
                    for _ in 0..<kills {
                        let count = storm.acknowledged.all.count
                        // Each store acknowledges some records before it is killed.
                        try await eventually("records were acknowledged again") {
                            storm.acknowledged.all.count >= count + 8
                        }
                        try await server.store().send(SIGKILL)
                    }
                }
                let (attempted, acknowledged) = (storm.attempted.all, storm.acknowledged.all)
                let family = try await server.complete(restarts: kills)
                #expect(family.store?.restarts == kills)
                #expect(family.workers.map(\.restarts) == [0, 0])
                let store = StoreFile(server.directory)
                let rows = try store.animals()
                #expect(acknowledged.count >= 8 * kills)
                #expect(acknowledged.allSatisfy { rows[$0.key] == $0.value })
                #expect(rows.allSatisfy { attempted[$0.key] == $0.value })
                #expect(Set(rows.values).count == rows.count)
                #expect(try store.integrity() == ["ok"])
            }
        }
    }
}

/// Clients that add records until the test ends.
private final class Storm: Sendable {
    let attempted = Names()
    let acknowledged = Names()
    private let isOver = Flag()

    func end() {
        isOver.raise()
    }

    func add(as client: Int, to server: Server) async throws {
        let browser = Browser(server)
        let blank = try await browser.newAnimal("")
        var index = 0
        while !isOver.isRaised {
            let form = blank.another(named: "Row \(client)-\(index)")
            attempted.add(form)
            let answer = try? await browser.post("/admin/animals", form)  // without an answer, the outcome is unknown
            if answer?.status == 303 { acknowledged.add(form) }
            index += 1
        }
    }
}
