import Synchronization
import TestSupport
import Testing

/// A counter that several tasks read.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func increment() {
        value.withLock { $0 += 1 }
    }
}

extension ServedApplications {
    /// Workers keep pages and sessions until the next commit. These tests ask all workers after each commit.
    @Suite("Pages and sessions after acknowledged changes")
    struct FreshPageTests {
        private static let changes = Explore.times(40, exploring: 200)
        /// The connections after each change. The workers share them.
        private static let connections = 8
        /// A list with all records of a test.
        private static let list = "/admin/animals?size=200"

        @Test("No worker answers with a page that is older than an acknowledged save")
        func save() async throws {
            try await Server.use { server in
                _ = try await server.complete()
                let browser = Browser(server)
                for number in 0..<Self.changes {
                    try await browser.addAnimal("Animal \(number)")
                    for _ in 0..<Self.connections {
                        #expect(try await browser.getAlone(Self.list).rows == number + 1)
                    }
                }
            }
        }

        @Test("No worker answers with an older page while it reads others")
        func simultaneousSaves() async throws {
            try await Server.use { server in
                _ = try await server.complete()
                let writer = Browser(server), readers = (0..<3).map { _ in Browser(server) }
                let saved = Counter(), isOver = Flag()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for reader in readers {
                        group.addTask {
                            while !isOver.isRaised {
                                let least = saved.count
                                let page = try await reader.getAlone(Self.list)
                                #expect(page.status == 200 && page.rows >= least)
                            }
                        }
                    }
                    for number in 0..<Self.changes {
                        try await writer.addAnimal("Animal \(number)")
                        saved.increment()
                    }
                    isOver.raise()
                    try await group.waitForAll()
                }
            }
        }

        @Test("A session that has ended is unknown to every worker at once")
        func signOut() async throws {
            try await Server.use { server in
                _ = try await server.complete()
                let browser = Browser(server)
                let form = Form().with("csrf", try await browser.token()), cookies = browser.cookies
                func statuses() throws -> Set<Int> {
                    var found: Set<Int> = []
                    for _ in 0..<Self.connections {
                        let connection = try #require(KeptConnection(port: server.port))
                        if case .answered(let status, _) = connection.get(Self.list, cookies: cookies) {
                            found.insert(status)
                        }
                    }
                    return found
                }
                #expect(try statuses() == [200])
                #expect(try await browser.post("/logout", form).status == 303)
                #expect(try statuses() == [303])
            }
        }
    }
}
