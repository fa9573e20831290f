import Aviary
import AviaryTesting
import Foundation
import Testing

@testable import library

@Suite("The admin of the library")
struct LibraryTests {
    @Test("A book needs an author, and the sheet keeps what was typed")
    func authors() async throws {
        try await TestApplication.serve(Library.self, withSampleData: true) { application in
            let editor = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await editor.get("/admin/books/new").sheet()
            sheet["title"] = "Persuasion"
            let rejected = try await editor.submit(sheet)
            #expect(rejected.status == 422)

            let authors = try await application.store().repository(for: Author.self)
            let byName = FetchDescriptor<Author>(predicate: #Predicate { $0.name == "Jane Austen" })
            let austen = try #require(try await authors.fetch(byName).first)
            sheet = try rejected.sheet()
            #expect(sheet["title"] == "Persuasion")
            sheet["authors"] = "\(austen.id)"
            #expect(try await editor.submit(sheet).status == 303)
            #expect(
                try await editor.get("/admin/books").rows.map(\.title) == ["Emma", "Persuasion", "The Wrong Box"])
        }
    }

    @Test("A volunteer lends a book and does not see what it costs")
    func volunteer() async throws {
        try await TestApplication.serve(Library.self, withSampleData: true) { application in
            let volunteer = try await application.signedIn(as: "vera", role: Library.volunteer)
            let books = try await volunteer.get("/admin/books")
            #expect(books.rows.map(\.title) == ["Emma", "The Wrong Box"])
            #expect(!books.body.contains("£"))

            let box = try #require(books.rows.last?.path.split(separator: "/").last)
            var sheet = try await volunteer.get("/admin/loans/new").sheet()
            sheet["book"] = String(box)
            sheet["borrower"] = "Inês Carvalho"
            sheet["due"] = "2099-12-24"
            #expect(try await volunteer.submit(sheet).status == 303)
            #expect(
                try await volunteer.get("/admin/loans").rows.map(\.title) == ["Grace Okafor", "Inês Carvalho"])
        }
    }

    @Test("A loan that is taken back is over")
    func returned() async throws {
        try await TestApplication.serve(Library.self, withSampleData: true) { application in
            let loans = try await application.store().repository(for: Loan.self)
            let loan = try #require(try await loans.fetchAll().first)
            #expect(loan.returned == nil)
            let editor = try await application.signedIn(as: "ada", role: .editor)
            let form = TestForm(["csrf": try await editor.csrfToken(), "do": "take-back", "id": "\(loan.id)"])
            #expect(try await editor.post("/admin/loans/batch", form).status == 303)
            #expect(try await loans.find(loan.id)?.returned != nil)
        }
    }
}
