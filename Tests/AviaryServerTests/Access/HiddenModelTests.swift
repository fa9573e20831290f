import Foundation
import Testing

@Suite("A model whose records somebody may not see is not there for them", .server)
struct HiddenModelTests {
    @Test("Not even its columns can be chosen")
    func columns() async throws {
        // The program has no role of this name: its people may sign in, and nothing else.
        let browser = Browser(try .shared, as: "roleless", role: "keeper")
        #expect(try await browser.get("/admin/animals").status == 404)
        let answer = try await browser.post(
            "/admin/animals/columns", Form(["csrf": try await browser.token(), "column": "name"]))
        #expect(answer.status == 404)
    }
}
