import AviaryDomain
import Foundation
import Testing

extension ServedApplications {
    @Suite("Many-to-many fields")
    struct LinkFormTests {
        @Test("A book is saved with its authors, and both sides show the link")
        func roundTrip() async throws {
            try await Server.use(.library) { server in
                let browser = Browser(server)
                let jane = try await browser.add("authors", ["name": "Jane & Co."]),
                    james = try await browser.add("authors", ["name": "James"])

                var form = try await browser.newBook("Emma")
                #expect(form.values("authors") == [""])
                let refused = try await browser.post("/admin/books", form)
                #expect(refused.status == 422)
                #expect(refused.body.contains("Choose at least 1."))

                form.add("authors", jane)
                #expect(try await browser.post("/admin/books", form).status == 303)
                let book = try #require(form["id"])
                let shown = try await browser.get("/admin/books/\(book)")
                #expect(shown.checked("authors") == [jane])
                #expect(shown.body.contains("Jane &amp; Co."))
                #expect(try await browser.get("/admin/authors/\(jane)").checked("books") == [book])

                var edit = try Form(sheetOf: shown).with("title", "Emma").with("audience", "18").with(
                    "languages", "English")
                #expect(edit["authors.linked"] == jane)
                edit.add("authors", james)
                #expect(try await browser.post("/admin/books/\(book)", edit).status == 303)
                #expect(try await browser.get("/admin/books/\(book)").checked("authors") == [james])
                #expect(try await browser.get("/admin/authors/\(jane)").checked("books") == [])
                #expect(try await browser.get("/admin/authors/\(james)").checked("books") == [book])
                // The same form again has no effect.
                #expect(try await browser.post("/admin/books/\(book)", edit).status == 303)

                let denied = try await browser.get("/admin/authors/delete?id=\(james)")
                #expect(
                    denied.source.contains(
                        "1 book (<a href=\"/admin/books/\(book)\">“Emma”</a>) would not have the required authors (1 to 4). Change it first."
                    ))
            }
        }

        @Test("Authors can be typed by name, and an unknown name stays on the page and in the draft")
        func typed() async throws {
            try await Server.use(.library) { server in
                let browser = Browser(server)
                for number in 0..<30 { _ = try await browser.add("authors", ["name": "Author \(number)"]) }
                var form = try await browser.newBook("Typed")
                form.add("authors", "Author 3; Nobody")
                let refused = try await browser.post("/admin/books", form)
                #expect(refused.status == 422)
                #expect(refused.body.contains("No author has this name."))
                #expect(refused.body.contains(#"value="Nobody""#))
                #expect(refused.checked("authors").count == 1)
                // The form was left and is continued.
                let continued = try await browser.get("/admin/books/new")
                #expect(continued.checked("authors") == refused.checked("authors"))
                #expect(continued.body.contains(#"value="Nobody""#))
                var again = try Form(sheetOf: continued).with("title", "Typed").with("audience", "18").with(
                    "languages", "English")
                for id in continued.checked("authors") { again.add("authors", id) }
                again.add("authors", "Author 29")
                #expect(try await browser.post("/admin/books", again).status == 303)
                let book = try #require(again["id"])
                #expect(try await browser.get("/admin/books/\(book)").checked("authors").count == 2)
            }
        }
    }
}

extension Browser {
    /// Stores a record and returns its id.
    fileprivate func add(_ model: String, _ fields: [String: String]) async throws -> String {
        var form = try Form(sheetOf: try await get("/admin/\(model)/new?fresh=1"))
        for (name, value) in fields { form[name] = value }
        let answer = try await post("/admin/\(model)", form)
        try #require(answer.status == 303, "\(answer.status) \(answer.body)")
        return try #require(form["id"])
    }

    fileprivate func newBook(_ title: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/books/new?fresh=1"))
            .with("title", title).with("audience", "18").with("languages", "English")
    }
}

extension Form {
    fileprivate func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

extension Answer {
    /// The values of the checked boxes of a field.
    fileprivate func checked(_ name: String) -> [String] {
        source.matches(of: /<input type="checkbox"[^>]*>/).map { String($0.0) }.filter { box in
            box.contains(#"name="\#(name)""#) && box.contains(" checked")
        }.compactMap { $0.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } }
    }
}
