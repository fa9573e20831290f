import AviaryDomain
import Foundation
import Testing

extension ServedApplications {
    @Suite("Relations of the library")
    struct LibraryRelationTests {
        private static let links = #"aviary_link.Book.authors"#

        @Test("A book is linked and unlinked from both sides, but never without an author")
        func manyToMany() async throws {
            try await Librarian.use { library in
                let marx = try await library.add("authors", ["name": "Karl Marx"])
                let engels = try await library.add("authors", ["name": "Friedrich Engels"])
                let refused = try await library.browser.post(
                    "/admin/books",
                    try await library.blank("books", ["title": "The Communist Manifesto", "authors": ""])
                )
                #expect(
                    refused.status == 422 && refused.problems["authors"] == "Choose at least 1.",
                    "\(refused.problems)")
                #expect(try library.count("Book") == 0)

                let book = try await library.add("books", ["title": "The Communist Manifesto", "authors": marx])
                #expect(try library.count(Self.links) == 1)
                #expect(
                    try await library.edit(
                        "books", book, ["title": "The Communist Manifesto", "authors": marx, "authors": engels]
                    ).status == 303)
                #expect(try library.count(Self.links) == 2)
                #expect(
                    try await library.edit(
                        "books", book, ["title": "The Communist Manifesto", "authors": "", "authors": engels]
                    ).status == 303)
                #expect(
                    try StoreFile(library.server.directory).rows("SELECT \"target\" FROM \"\(Self.links)\"") == [
                        [engels]
                    ])
                let none = try await library.edit("books", book, ["title": "The Communist Manifesto", "authors": ""])
                #expect(none.status == 422 && none.problems["authors"] != nil)

                #expect(
                    try await library.edit("authors", marx, ["name": "Karl Marx", "books": "", "books": book]).status
                        == 303)
                #expect(try library.count(Self.links) == 2)
                #expect(
                    try await library.edit("authors", engels, ["name": "Friedrich Engels", "books": ""]).status == 303)
                #expect(try library.count(Self.links) == 1)
                let last = try await library.delete("authors", marx, allow: 10)
                #expect(
                    last.status == 409
                        && last.words.contains(
                            "“The Communist Manifesto” must have at least 1 of its authors and would have 0"),
                    "\(last.status)")
                #expect(try await library.delete("authors", engels).status == 303)
            }
        }

        @Test("A repeated combination of unique fields is reported beside a field")
        func compoundUnique() async throws {
            try await Librarian.use(withSample: true) { library in
                let file = StoreFile(library.server.directory)
                let copy = try #require(
                    try file.rows(#"SELECT "id", "book", "number" FROM "Copy" WHERE "shelfmark" = 'AUS-001'"#).first)
                let twin = try await library.browser.post(
                    "/admin/copies",
                    try await library.blank("copies", ["shelfmark": "AUS-009", "book": copy[1], "number": copy[2]])
                )
                #expect(twin.status == 422)
                #expect(
                    twin.problems["book"]
                        == "Another copy already has this combination of book and number. Change one of them.")
                #expect(
                    try await library.browser.post(
                        "/admin/copies",
                        try await library.blank("copies", ["shelfmark": "AUS-009", "book": copy[1], "number": "9"])
                    ).status == 303)

                let loan = try #require(
                    try file.rows(#"SELECT "copy", "member", "borrowed" FROM "Loan" LIMIT 1"#).first)
                let again = try await library.browser.post(
                    "/admin/loans",
                    try await library.blank(
                        "loans", ["copy": loan[0], "member": loan[1], "borrowed": loan[2], "due": "2099-01-01"])
                )
                #expect(
                    again.status == 422 && again.problems["copy"]?.contains("and borrowed") == true,
                    "\(again.problems)")
            }
        }

        @Test("A cascading deletion counts dependents at every depth and deletes only the confirmed number")
        func cascade() async throws {
            try await Librarian.use(withSample: true) { library in
                let file = StoreFile(library.server.directory)
                let book = try #require(
                    try file.rows(#"SELECT "id" FROM "Book" WHERE "title" = 'Pride and Prejudice'"#).first?.first)
                let question = try await library.browser.get("/admin/books/delete?id=\(book)")
                #expect(
                    question.words.contains(
                        "2 copies and 2 loans that belong to “Pride and Prejudice” will be deleted too."),
                    "\(question.words)")
                #expect(question.words.contains("Delete all 5"))
                #expect(question.words.contains("1 author will no longer be linked"))
                let loans = try library.count("Loan")
                #expect(try await library.delete("books", book, allow: 3).status != 303)
                #expect(try library.count("Loan") == loans)
                #expect(try await library.delete("books", book, allow: 4).status == 303)
                #expect(try library.count("Loan") == loans - 2)
                #expect(try file.rows(#"SELECT "id" FROM "Copy" WHERE "book" = '\#(book)'"#) == [])
            }
        }

        @Test("A member with loans and a genre with subgenres cannot be deleted, and the page says why")
        func deny() async throws {
            try await Librarian.use(withSample: true) { library in
                let file = StoreFile(library.server.directory)
                let member = try #require(try file.rows(#"SELECT "member" FROM "Loan" LIMIT 1"#).first?.first)
                let refused = try await library.delete("members", member, allow: 10)
                #expect(refused.status == 409 && refused.words.contains("loan"), "\(refused.words)")
                #expect(try library.count("Member") == 3)

                let genre = try #require(
                    try file.rows(#"SELECT "id" FROM "Genre" WHERE "name" = 'Fiction'"#).first?.first)
                let kept = try await library.delete("genres", genre, allow: 10)
                #expect(kept.status == 409)
                #expect(
                    kept.source.contains(/<a href="\/admin\/genres\/[0-9a-f-]{36}">“[^”]+”<\/a>/),
                    "what stands against it is a link")
                #expect(try library.count("Genre") == 7)
            }
        }

        @Test("The message about a deleted genre counts the books that lost it")
        func nullified() async throws {
            struct Deleted: Decodable { let message: String }
            try await Librarian.use(withSample: true) { library in
                let file = StoreFile(library.server.directory)
                let genre = try #require(
                    try file.rows(#"SELECT "id" FROM "Genre" WHERE "name" = 'Fantasy'"#).first?.first)
                let form = Form(["csrf": try await library.browser.token(), "id": genre, "allow": "0"])
                let answer = try await library.browser.post(
                    "/admin/genres/delete", form, headers: ["Accept": "application/json"])
                #expect(answer.status == 200)
                #expect(try answer.json(Deleted.self).message == "Deleted “Fantasy”. Changed 2 books")
            }
        }

        @Test("Deleting a prequel clears the reference to it, and a book cannot be its own sequel")
        func selfRelation() async throws {
            try await Librarian.use(withSample: true) { library in
                let file = StoreFile(library.server.directory)
                let pair = try #require(
                    try file.rows(#"SELECT "id", "prequel" FROM "Book" WHERE "prequel" IS NOT NULL"#).first)
                let own = try await library.edit(
                    "books", pair[0],
                    [
                        "title": "Through the Looking-Glass", "prequel": pair[0], "audience": "6",
                    ])
                #expect(
                    own.status == 422 && own.problems["prequel"] == "Choose another book: none is its own sequel.",
                    "\(own.problems)")
                let question = try await library.browser.get("/admin/books/delete?id=\(pair[1])")
                #expect(question.words.contains("1 book will no longer refer to"), "\(question.words)")
                #expect(try await library.delete("books", pair[1], allow: 10).status == 303)
                #expect(try library.text("Book", "prequel", of: pair[0]) == "")
            }
        }

        @Test("A restored backup has all records and links, and secrets only on request")
        func backup() async throws {
            try await Librarian.use(withSample: true) { library in
                let directory = library.server.directory
                for secrets in [true, false] {
                    let file = directory.path("library-\(secrets).jsonl.gz")
                    let flags = secrets ? ["--include-secrets"] : []
                    let run = try await Program.library.run(
                        ["backup", "--output", file, "--data", directory.data] + flags, in: directory)
                    #expect(run.exitCode == 0, "\(run.errors)")
                    try await TestDirectory.use { other in
                        let restored = try await Program.library.run(
                            ["restore", file, "--yes", "--data", other.data], in: other)
                        #expect(restored.exitCode == 0, "\(restored.errors)")
                        #expect(try Self.content(other, pin: secrets) == Self.content(directory, pin: secrets))
                        let pins = try StoreFile(other).rows(#"SELECT DISTINCT "pin" FROM "Member""#)
                        #expect(pins == [[secrets ? "2468" : ""]])
                        #expect(try StoreFile(other).integrity() == ["ok"])
                    }
                }
            }
        }

        /// Returns all records and links, without the versions that a restore renews.
        private static func content(_ directory: TestDirectory, pin: Bool) throws -> [[String]] {
            let file = StoreFile(directory)
            return try [
                #"SELECT "id", "title", "year", "isbn", "genre", "audience", "languages", "price", "summary", "online", "isReference", "prequel" FROM "Book" ORDER BY 1"#,
                #"SELECT "id", "name", "born", "died", "website" FROM "Author" ORDER BY 1"#,
                #"SELECT "id", "name", "parent" FROM "Genre" ORDER BY 1"#,
                #"SELECT "id", "shelfmark", "book", "number", "condition", "acquired" FROM "Copy" ORDER BY 1"#,
                #"SELECT "id", "name", "card", "address", "joined", "lastVisit"\#(pin ? #", "pin""# : "") FROM "Member" ORDER BY 1"#,
                #"SELECT "id", "copy", "member", "borrowed", "due", "returned", "fine", "remindedAt" FROM "Loan" ORDER BY 1"#,
                #"SELECT "source", "target" FROM "\#(links)" ORDER BY 1, 2"#,
            ].flatMap { try file.rows($0) }
        }
    }
}
