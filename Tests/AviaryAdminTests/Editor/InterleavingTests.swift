import Foundation
import Testing

@Suite("Concurrent edits of one record", .server)
struct InterleavingTests {
    /// The page that an editor has open: the form, and the text that it was made from.
    private struct Page {
        let form: Form
        let seen: String
    }

    @Test(
        "Saving a stale page answers 409 with all three texts, and saving a current page succeeds",
        arguments: [1, 2, 3, 4, 5])
    func random(seed: UInt64) async throws {
        var random = Sequence(state: seed)
        let people = [Browser(try .shared), Browser(try .shared), Browser(try .shared)]
        let id = try await people[0].addAnimal("Start of \(seed)")
        var pages: [Int: Page] = [:]
        var stored = "Start of \(seed)"
        var version = try #require(try await people[0].sheet(of: "animals", id)["version"])
        for step in 0..<25 {
            let index = random.next(people.count)
            let person = people[index]
            // Otherwise the sheet would show the draft of the last conflict.
            person.cookies = person.cookies.filter { !$0.key.hasPrefix("d-") }
            guard let page = pages[index], random.next(3) > 0 else {
                pages[index] = Page(form: try await person.sheet(of: "animals", id), seen: stored)
                continue
            }
            pages[index] = nil
            let mine = "Step \(step) of \(seed) by \(index)"
            let answer = try await person.post(
                "/admin/animals/\(id)", page.form.with("name", mine).with("diet", "herbivorous").with("category", ""))
            if page.form["version"] == version {
                #expect(answer.status == 303)
                stored = mine
                version = try #require(try await person.sheet(of: "animals", id)["version"])
            } else {
                #expect(answer.status == 409)
                #expect(answer.body.contains(#"name="name" value="\#(mine)""#), "what was typed")
                #expect(answer.body.contains("\(stored)</span>"), "what is stored")
                #expect(answer.body.contains("Original value: <bdi>\(page.seen)</bdi>"), "what was there before")
                #expect(try await person.rows(named: mine) == 0)
            }
            #expect(try await person.rows(named: stored) == 1)
        }
    }

    @Test("Twenty identical concurrent edits are one change, and all requests succeed")
    func identical() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Before twenty")
        let form = try await browser.sheet(of: "animals", id).with("name", "After twenty").with("diet", "herbivorous")
            .with("category", "")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await browser.post("/admin/animals/\(id)", form).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 303, count: 20))
        let after = try await browser.sheet(of: "animals", id)
        #expect(try await browser.post("/admin/animals/\(id)", form).status == 303)
        #expect(try await browser.sheet(of: "animals", id)["version"] == after["version"])
    }

    private struct Sequence {
        var state: UInt64

        /// Returns a number below the limit (SplitMix64).
        mutating func next(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
        }
    }
}
