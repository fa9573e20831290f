import Foundation
import Testing

extension ServedApplications {
    /// Times vary between machines and hours, but counts do not.
    ///
    /// A page or a save that executes an additional statement fails here.
    @Suite("Statement counts of pages and saves")
    struct StatementCountTests {
        /// The statements of a list that a worker has not kept, of a session that it knows: the store's version, the page,
        /// and the counts in the navigation. Each of these reads is a transaction that looks for a mask first.
        private static let list = 11
        /// The statements of a page that a worker has kept: the store's version.
        private static let keptList = 1
        /// The statements of an insertion: the store's version, session and account, each in a transaction, then receipt, draft, record,
        /// history, commit, total, the text index (which models have changed, four steps of the update, the removal of
        /// the notes, and the index's segments), and the store's own numbers.
        private static let add = 27
        private static let insertion = #"INSERT OR FAIL INTO main."Animal""#

        private func serve(_ body: (Server, StatementLog) async throws -> Void) async throws {
            try await TestDirectory.use { directory in
                let log = StatementLog(in: directory)
                let server = try await Server.start(in: directory, environment: try log.environment)
                try await body(server, log)
                await server.stop()
            }
        }

        @Test("A list page executes a bounded number of statements, independent of the number of records")
        func list() async throws {
            try await serve { server, log in
                let browser = Browser(server)
                for number in 0..<2 { try await browser.addAnimal("Animal \(number)") }
                // Each worker opens its connections with its first page.
                for _ in 0..<8 { _ = try await browser.get("/admin/animals") }
                // Both workers have kept the session, but no page for this request.
                func list(_ turn: Int) async throws {
                    _ = try await browser.send(
                        "GET", "/admin/animals", headers: ["Accept-Language": "en;q=0.\(turn + 1)"], body: nil)
                }
                let two = try await log.fewest(of: list)
                let kept = try await log.fewest(of: list)
                #expect(kept.count == Self.keptList, "\(kept.joined(separator: "\n"))")
                for number in 2..<60 { try await browser.addAnimal("Animal \(number)") }
                for _ in 0..<8 { _ = try await browser.get("/admin/animals") }
                let fifty = try await log.fewest(of: list)
                #expect(
                    two.contains { $0.hasPrefix("SELECT") && $0.contains("\"Animal\"") },
                    "nothing was written down: \(two)")
                #expect(fifty.count == two.count, "\(fifty.joined(separator: "\n"))")
                #expect(fifty.count <= Self.list, "\(fifty.joined(separator: "\n"))")
            }
        }

        @Test("A save executes a bounded number of statements, independent of the number of records")
        func add() async throws {
            try await serve { server, log in
                let browser = Browser(server)
                try await browser.addAnimal("The first")
                let form = try await browser.newAnimal("Another")
                func save(_ name: String) async throws {
                    let answer = try await browser.post("/admin/animals", form.another(named: name))
                    #expect(answer.status == 303)
                }
                let few = try await log.fewest(between: Self.insertion) { try await save("Few \($0)") }
                for number in 0..<60 { try await save("Many \(number)") }
                let many = try await log.fewest(between: Self.insertion) { try await save("More \($0)") }
                #expect(few.contains { $0.hasPrefix(Self.insertion) }, "nothing was written down: \(few)")
                #expect(many.count == few.count, "\(many.joined(separator: "\n"))")
                #expect(many.count <= Self.add, "\(many.joined(separator: "\n"))")
            }
        }
    }
}
