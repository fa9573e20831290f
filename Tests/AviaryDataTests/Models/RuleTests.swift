import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Rules of a model hold in the store, whoever writes")
struct RuleTests {
    @Test("an insert that breaks a rule across fields is refused at the field")
    func insert() async throws {
        let (fixture, ada) = try await library()
        var loan = Loan(member: ada, began: try day(5))
        loan.returned = try day(4)
        #expect(await fixture.refusal(loan.insertion) == broken)
        #expect(try await fixture.count(Loan.self) == 0)
    }

    @Test("an update is judged by what the record would be, with the values that it does not name")
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

    @Test("a record in the middle of a change set stops all of it")
    func wholeChangeSet() async throws {
        let (fixture, ada) = try await library()
        var bad = Loan(member: ada, began: try day(5))
        bad.returned = try day(4)
        #expect(
            await fixture.refusal(Member(name: "Bo").insertion, bad.insertion, Member(name: "Cy").insertion) == broken)
        #expect(try await fixture.count(Member.self) == 1)
    }

    @Test("values outside of their rules are refused by the store itself")
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

    @Test("what is taken back is judged as everything that is stored")
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

@Suite("A program's own writes ask the rules of its models before they are sent")
struct ClientRuleTests {
    @Test("an insert, an update and a save that break one are refused with the field")
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
