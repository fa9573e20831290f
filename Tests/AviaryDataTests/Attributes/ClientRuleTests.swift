import AviaryData
import AviaryDomain
import Foundation
import Testing

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
