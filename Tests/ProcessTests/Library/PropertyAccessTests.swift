import Foundation
import NIOCore
import TestSupport
import Testing

extension ServedApplications {
    /// The role volunteer of the library.
    ///
    /// It does not see the price of a book, and cannot change the year. It does not see the day of acquisition of
    /// a copy, and cannot change the condition. It does not see the model of authors.
    @Suite("Hidden and read-only properties of a role")
    struct PropertyAccessTests {
        private static let hidden = ["77.31", "2001-02-03", "3 Feb 2001", "2001-02-04", "4 Feb 2001", "Harriet"]
        private static let seen = ["Emma", "1999", "AUS-001", "Good"]

        private struct Shelf {
            let library: Librarian
            let volunteer: Browser
            let author: String
            let book: String
            let copy: String

            func value(_ table: String, _ column: String, _ id: String) throws -> String? {
                try library.text(table, column, of: id)
            }

            func unchanged() throws -> [String?] {
                [
                    try value("Book", "price", book), try value("Book", "year", book),
                    try value("Copy", "acquired", copy), try value("Copy", "condition", copy),
                ]
            }
        }

        private func withShelf(_ body: (Shelf) async throws -> Void) async throws {
            try await Librarian.use { library in
                let author = try await library.add("authors", ["name": "Harriet"])
                let book = try await library.add(
                    "books", ["title": "Emma", "authors": author, "year": "1999", "price": "77.31", "audience": "18"])
                let copy = try await library.add(
                    "copies",
                    [
                        "shelfmark": "AUS-001", "book": book, "number": "5", "condition": "good",
                        "acquired": "2001-02-03",
                    ])
                let volunteer = Browser(library.server, role: "volunteer")
                try await body(
                    Shelf(library: library, volunteer: volunteer, author: author, book: book, copy: copy))
            }
        }

        @Test("No page, file or history shows a hidden value to the role")
        func seen() async throws {
            try await withShelf { shelf in
                #expect(
                    try await shelf.library.edit(
                        "copies", shelf.copy, ["acquired": "2001-02-04", "number": "6"]
                    ).status == 303)
                var paths = ["/admin", "/admin/activity"]
                for (slug, id) in [("books", shelf.book), ("copies", shelf.copy)] {
                    let model = "/admin/\(slug)"
                    paths += [
                        model, "\(model)?panel=columns", "\(model)?panel=filters", "\(model)/new?like=\(id)",
                        "\(model)/\(id)", "\(model)/export?format=csv", "\(model)/export?format=jsonl",
                        "\(model)/delete?id=\(id)", "\(model)/import",
                        "/admin/activity?model=\(slug)&record=\(id)",
                    ]
                }
                for commit in 2...12 { paths.append("/admin/activity/\(commit)") }
                var toAdmin = "", toVolunteer = ""
                for path in paths {
                    toAdmin += try await shelf.library.browser.get(path).source
                    let page = try await shelf.volunteer.get(path).source
                    for text in Self.hidden { #expect(!page.contains(text), "\(path): \(text)") }
                    toVolunteer += page
                }
                for text in ["77.31", "2001-02-04", "Harriet"] { #expect(toAdmin.contains(text), "\(text)") }
                for text in Self.seen { #expect(toVolunteer.contains(text), "\(text)") }
            }
        }

        @Test("A hidden property cannot be used to sort or filter a list or an export")
        func asked() async throws {
            try await withShelf { shelf in
                for (model, query) in [
                    ("books", "sort=price"), ("books", "sort=-price"), ("books", "filter.authors=\(shelf.author)"),
                    ("copies", "filter.acquired.from=2001-01-01"),
                ] {
                    for path in ["/admin/\(model)?\(query)", "/admin/\(model)/export?\(query)"] {
                        let toAdmin = try await shelf.library.browser.get(path).status
                        let toVolunteer = try await shelf.volunteer.get(path).status
                        #expect(toAdmin == 200, "\(path)")
                        #expect(toVolunteer == 404, "\(path)")
                    }
                }
            }
        }

        @Test("No sheet, row, new record, import or undo sets a hidden or read-only property")
        func set() async throws {
            try await withShelf { shelf in
                let before = try shelf.unchanged()
                #expect(before == ["7731", "1999", "2001-02-03", "good"])
                let volunteer = shelf.volunteer

                // The copy is edited on its sheet, and as a row of another model's sheet.
                let sheet = try await volunteer.get("/admin/books/\(shelf.book)")
                let row = "copies.\(shelf.copy)"
                let form = try Form(sheetOf: sheet).withChecked(of: sheet).filled([
                    "title": "Emma again", "price": "1", "year": "1888", "audience": "18", "languages": "English",
                    "authors": "", "\(row).number": "9", "\(row).condition": "damaged", "\(row).acquired": "1990-01-01",
                    "\(row).shelfmark": "AUS-001",
                ])
                let saved = try await volunteer.post("/admin/books/\(shelf.book)", form)
                #expect(saved.status == 303, "\(saved.problems)")
                #expect(try shelf.value("Book", "title", shelf.book) == "Emma again")
                #expect(try shelf.value("Copy", "number", shelf.copy) == "9")
                #expect(try shelf.unchanged() == before)

                // A new record, and a copy of an existing one.
                for like in ["", "&like=\(shelf.copy)"] {
                    let sheet = try await volunteer.get("/admin/copies/new?fresh=1\(like)")
                    let number = like.isEmpty ? "11" : "12"
                    let form = try Form(sheetOf: sheet).filled([
                        "shelfmark": "AUS-0\(number)", "book": shelf.book, "number": number, "condition": "damaged",
                        "acquired": "1990-01-01",
                    ])
                    let added = try await volunteer.post("/admin/copies", form)
                    #expect(added.status == 303, "\(added.problems)")
                    let id = try #require(form["id"])
                    #expect(try shelf.value("Copy", "number", id) == number)
                    #expect(try shelf.value("Copy", "condition", id) == "new")
                    #expect(try shelf.value("Copy", "acquired", id)?.hasPrefix("1990") == false)
                }

                // An imported file.
                let lines = "shelfmark,book,number,condition,acquired\nAUS-021,Emma again,21,damaged,1990-01-01\n"
                let page = try await volunteer.bring(lines, to: "copies")
                let path = try #require(page.location)
                let begun = try await volunteer.post(
                    path,
                    Form([
                        "csrf": try await volunteer.token(), "do": "import", "column.0": "shelfmark",
                        "column.1": "book", "column.2": "number", "column.3": "condition", "column.4": "acquired",
                    ]))
                #expect(begun.status == 303)
                try await eventually("the file is imported") {
                    try StoreFile(shelf.library.server.directory).rows(
                        "SELECT 1 FROM Copy WHERE shelfmark = 'AUS-021'"
                    ).count == 1
                }
                let imported = try StoreFile(shelf.library.server.directory).rows(
                    "SELECT condition, acquired LIKE '1990%' FROM Copy WHERE shelfmark = 'AUS-021'")
                #expect(imported == [["new", "0"]])

                // An undo of another person's change.
                let changed = try await shelf.library.edit(
                    "copies", shelf.copy, ["number": "31", "condition": "worn"])
                #expect(changed.status == 303)
                let commit = try #require(
                    try StoreFile(shelf.library.server.directory).rows(
                        "SELECT max(\"commit\") FROM aviary_change WHERE model = 'Copy'"
                    ).first?.first)
                let undone = try await volunteer.post(
                    "/admin/undo/\(commit)", Form(["csrf": try await volunteer.token()]))
                #expect(undone.status == 303)
                #expect(try shelf.value("Copy", "number", shelf.copy) == "9")
                #expect(try shelf.value("Copy", "condition", shelf.copy) == "worn")
            }
        }
    }
}
