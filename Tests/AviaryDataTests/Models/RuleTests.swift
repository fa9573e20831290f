import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Model rules in the store")
struct RuleTests {
    @Test("An insert that breaks a rule across properties is rejected with the property")
    func insert() async throws {
        let (fixture, ada) = try await library()
        var loan = Loan(member: ada, began: try day(5))
        loan.returned = try day(4)
        #expect(await fixture.refusal(loan.insertion) == broken)
        #expect(try await fixture.count(Loan.self) == 0)
    }

    @Test("An update is validated together with the stored values of other properties")
    func update() async throws {
        let (fixture, ada) = try await library()
        let loan = Loan(member: ada, began: try day(5))
        let receipt = try await fixture.insert(loan)
        func returned(_ number: Int) throws -> Change {
            .update(
                model: "Loan", id: loan.id.uuid, version: receipt.commit,
                values: ["returned": .text(try day(number).description)])
        }
        #expect(await fixture.refusal(try returned(4)) == broken)
        try await fixture.submit(try returned(6))
        let stored = try #require(try await fixture.find(loan))
        let later = Change.update(
            model: "Loan", id: loan.id.uuid, version: stored.version, values: ["began": .text(try day(7).description)])
        #expect(await fixture.refusal(later) == broken)
    }

    @Test("An invalid record rejects the whole change set")
    func wholeChangeSet() async throws {
        let (fixture, ada) = try await library()
        var bad = Loan(member: ada, began: try day(5))
        bad.returned = try day(4)
        #expect(
            await fixture.refusal(Member(name: "Bo").insertion, bad.insertion, Member(name: "Cy").insertion) == broken)
        #expect(try await fixture.count(Member.self) == 1)
    }

    @Test("The store rejects values that are out of range or too long")
    func values() async throws {
        let (fixture, ada) = try await library()
        var loan = Loan(member: ada, began: try day(5))
        loan.renewals = -1
        #expect(
            await fixture.refusal(loan.insertion)
                == .invalid(
                    model: "Loan", [FieldProblem(\Loan.renewals, "Enter a number of at least 0.")]))
        #expect(
            await fixture.refusal(Member(name: String(repeating: "a", count: 81)).insertion)
                == .invalid(
                    model: "Member", [FieldProblem(\Member.name, "Enter at most 80 characters.")]))
    }

    @Test("Undoing the undo of an insert stores a valid record again")
    func undo() async throws {
        let (fixture, ada) = try await library()
        let loan = Loan(member: ada, began: try day(5))
        let receipt = try await fixture.insert(loan)
        let undone = try await fixture.store.undo(Undo(commit: receipt.commit, author: "test"))
        _ = try await fixture.store.undo(Undo(commit: undone.commit, author: "test"))
        #expect(try await fixture.count(Loan.self) == 1)
    }

    private var broken: StoreError {
        .invalid(model: "Loan", [FieldProblem(\Loan.returned, "Choose a day on which the loan had begun.")])
    }

    private func day(_ day: Int) throws -> CalendarDate {
        try #require(CalendarDate(year: 2026, month: 3, day: day))
    }

    private func library() async throws -> (StoreFixture, Member) {
        let fixture = try StoreFixture(Schema([Member.schema, Loan.schema]))
        let ada = Member(name: "Ada")
        try await fixture.insert(ada)
        return (fixture, ada)
    }
}

@Suite("Model rules in a repository")
struct ClientRuleTests {
    @Test("A repository rejects an insert, update or save that breaks a rule")
    func refused() async throws {
        let fixture = try StoreFixture(Schema([Member.schema, Loan.schema]))
        let ada = Member(name: "Ada"), day = try #require(CalendarDate("2026-03-05"))
        var loan = Loan(member: ada, began: day)
        try await fixture.insert(ada, loan)
        let loans = fixture.repository(Loan.self), before = try #require(CalendarDate("2026-03-04"))
        let broken = StoreError.invalid(
            model: "Loan", [FieldProblem(\Loan.returned, "Choose a day on which the loan had begun.")])
        await #expect(throws: broken) { try await loans.update(loan.id) { $0.returned = before } }
        loan.returned = before
        await #expect(throws: broken) { try await loans.save(loan) }
        await #expect(throws: StoreError.self) { try await fixture.repository(Member.self).insert(Member(name: "")) }
        try await loans.update(loan.id) { $0.returned = day }
        #expect(try await loans.fetch(FetchDescriptor()).map(\.returned) == [day])
    }
}
