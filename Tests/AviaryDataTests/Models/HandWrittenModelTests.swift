import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Hand-written models")
struct HandWrittenModelTests {
    private let day = CalendarDate(year: 2026, month: 3, day: 1)

    @Test("A hand-written model can be stored, fetched, updated and deleted")
    func wholeLife() async throws {
        let fixture = try StoreFixture(Schema([Member.schema, Loan.schema]))
        let ada = Member(name: "Ada")
        var loan = Loan(member: ada, began: try #require(day))
        let receipt = try await fixture.insert(ada, loan)
        let loans = fixture.repository(Loan.self)
        let stored = try #require(try await loans.fetch(FetchDescriptor()).first)
        #expect(stored.id == loan.id && stored.member.id == ada.id && stored.began == day && stored.returned == nil)
        loan.renewals = 2
        try await fixture.submit(loan.update(from: receipt.commit))
        #expect(try await loans.fetch(FetchDescriptor()).map(\.renewals) == [2])
        try await fixture.submit(.delete(model: "Loan", id: loan.id.uuid))
        #expect(try await fixture.count(Loan.self) == 0)
    }

    @Test("The documentation of Model contains the models that are compiled here")
    func documented() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let compiled = try String(
            contentsOf: here.deletingLastPathComponent().appending(path: "HandWrittenModels.swift"), encoding: .utf8)
        let source = try String(
            contentsOf: root.appending(path: "Sources/AviaryDomain/Models/Model.swift"), encoding: .utf8)
        let documentation = source.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("/// ") ? String($0.dropFirst(4)) : $0 == "///" ? "" : String($0) }.joined(
                separator: "\n")
        let models = try #require(compiled.range(of: "struct Member").map { compiled[$0.lowerBound...] })
        #expect(documentation.contains(models.trimmingCharacters(in: .newlines)))
    }
}
