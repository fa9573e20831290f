import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Titles are read with the records")
struct TitleReadingTests {
    private struct Library {
        let fixture: StoreFixture
        let ada: Member
        let loan: Loan
    }

    private func library() async throws -> Library {
        let fixture = try StoreFixture(try Schema([Member.schema, Loan.schema]))
        let ada = Member(name: "Ada"), bo = Member(name: "Bo")
        let loan = Loan(member: ada, began: try #require(CalendarDate("2026-11-01")))
        try await fixture.insert(ada, bo, loan, Loan(member: bo, began: try #require(CalendarDate("2026-11-02"))))
        return Library(fixture: fixture, ada: ada, loan: loan)
    }

    @Test("A composed title has the titles of the referenced records in lists, choices and counts of related records")
    func composed() async throws {
        let library = try await library()
        let loans = library.fixture.records(Loan.self)
        let record = try #require(try await loans.find(library.loan.id.uuid))
        #expect(record.title(in: Loan.schema) == "Ada, 1 Nov 2026")
        #expect(try await loans.choices(limit: 9).map(\.title).sorted() == ["Ada, 1 Nov 2026", "Bo, 2 Nov 2026"])
        #expect(try await loans.choices(of: [library.loan.id.uuid]).map(\.title) == ["Ada, 1 Nov 2026"])
        let related = try await library.fixture.records(Member.self).related(
            to: [library.ada.id.uuid], by: "loans", limit: 3)
        #expect(related[library.ada.id.uuid]?.first.map(\.title) == ["Ada, 1 Nov 2026"])
    }

    @Test("A search finds a composed title by the words of the referenced titles")
    func searched() async throws {
        let fixture = try await library().fixture, loans = fixture.records(Loan.self)
        let found = try await loans.choices(matching: "ad", limit: 9, within: Patience.bound)
        #expect(found.choices.map(\.title) == ["Ada, 1 Nov 2026"])
        #expect(try await loans.choices(matching: "Eve", limit: 9, within: Patience.bound).choices.isEmpty)
    }

    @Test("A title of a closure is read for references, choices and searches")
    func computed() async throws {
        let titled = Member.schema.titled { record in
            (try? Member(record)).map { "Member \($0.name)" }
        }
        let fixture = try StoreFixture(try Schema([titled, Loan.schema]))
        let ada = Member(name: "Ada")
        let loan = Loan(member: ada, began: try #require(CalendarDate("2026-11-01")))
        try await fixture.insert(ada, loan)
        let members = SQLRecordRepository(
            model: titled, schema: fixture.schema, readers: fixture.readers, writer: fixture.store)
        #expect(try await members.choices(limit: 9).map(\.title) == ["Member Ada"])
        let found = try await members.choices(matching: "ada", limit: 9, within: Patience.bound)
        #expect(found.choices.map(\.title) == ["Member Ada"])
        let record = try #require(try await fixture.records(Loan.self).find(loan.id.uuid))
        #expect(record.referenceTitle(at: 0) == "Member Ada")
        #expect(record.title(in: Loan.schema) == "Member Ada, 1 Nov 2026")
    }
}
