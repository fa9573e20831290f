import AviaryDomain
import Foundation
import Testing

extension ServedApplications {
    @Suite("The library application")
    struct LibraryTests {
        private static let slugs = ["books", "authors", "genres", "copies", "loans", "members"]

        @Test("Every list, sheet and delete question of the sample library answers 200")
        func walk() async throws {
            try await Librarian.use(withSample: true) { library in
                let browser = library.browser
                #expect(try await browser.get("/admin").places.isSuperset(of: Self.slugs))
                for slug in Self.slugs {
                    let list = try await browser.get("/admin/\(slug)")
                    #expect(list.status == 200 && !list.identifiers.isEmpty, "\(slug)")
                    #expect(try await browser.get("/admin/\(slug)/new").status == 200, "\(slug)")
                    for id in list.identifiers {
                        #expect(try await browser.get("/admin/\(slug)/\(id)").status == 200, "\(slug)/\(id)")
                        #expect(try await browser.get("/admin/\(slug)/delete?id=\(id)").status == 200, "\(slug)/\(id)")
                    }
                }
            }
        }

        @Test("A list shows references by name, choices in words, formatted decimals and computed values")
        func columns() async throws {
            try await Librarian.use(withSample: true) { library in
                let books = try await library.browser.get("/admin/books").words
                #expect(books.contains("Pride and Prejudice Jane Austen Novel 1813 £9.99"))
                #expect(
                    books.contains("The Communist Manifesto Friedrich Engels, Karl Marx Politics 1848")
                        || books.contains("The Communist Manifesto Karl Marx, Friedrich Engels Politics 1848"))
                #expect(
                    try await library.browser.get("/admin/copies").words.contains("AUS-002 Pride and Prejudice 2 Worn"))
                let loans = try await library.browser.get("/admin/loans").words
                #expect(loans.contains("Overdue"))
                #expect(loans.contains("10 Oct 2026 AUS-001 Tomasz Zieliński 7 Nov 2026 Yes"))
                #expect(loans.contains("1 Sep 2026 AUS-001 Inês Carvalho 29 Sep 2026 6 Oct 2026 No"))
            }
        }

        @Test("Every field of each model can be added, edited and deleted")
        func everyField() async throws {
            try await Librarian.use { library in
                let genre = try await library.add("genres", ["name": "Fiction", "parent": ""])
                let child = try await library.add("genres", ["name": "Novel", "parent": genre])
                #expect(try library.text("Genre", "parent", of: child) == genre)

                let author = try await library.add(
                    "authors",
                    [
                        "name": "Jane Austen", "born": "1775-12-16", "died": "1817-07-18",
                        "website": "https://example.org/austen?a=1&b=2",
                    ])
                #expect(try library.text("Author", "website", of: author) == "https://example.org/austen?a=1&b=2")

                let first = try await library.add("books", ["title": "Emma", "authors": author, "audience": "18"])
                let book = try await library.add(
                    "books",
                    [
                        "title": "Pride & <Prejudice>", "authors": author, "year": "1813", "isbn": "978-0141439518",
                        "genre": child,
                        "audience": "12", "languages": "English\nFrançais", "price": "9.90",
                        "summary": "Five sisters.\r\n\r\nOne proud man.",
                        "online": "https://www.gutenberg.org/ebooks/1342", "isReference": "true", "prequel": first,
                    ])
                let stored = try StoreFile(library.server.directory).rows(
                    #"SELECT "title", "year", "isbn", "genre", "audience", "languages", "price", "summary", "online", "isReference", "prequel" FROM "Book" WHERE "id" = '\#(book)'"#
                )
                #expect(
                    stored == [
                        [
                            "Pride & <Prejudice>", "1813", "978-0141439518", child, "12", #"["English","Français"]"#,
                            "990",
                            "Five sisters.\n\nOne proud man.", "https://www.gutenberg.org/ebooks/1342", "1", first,
                        ]
                    ])
                let sheet = try await library.browser.get("/admin/books/\(book)").body
                #expect(sheet.contains(#"value="9.90""#) && sheet.contains("Five sisters.\n\nOne proud man."))

                let copy = try await library.add(
                    "copies",
                    [
                        "shelfmark": "AUS-001", "book": book, "number": "2", "condition": "worn",
                        "acquired": "2020-02-29",
                    ])
                #expect(try library.text("Copy", "number", of: copy) == "2")
                let member = try await library.add(
                    "members",
                    [
                        "name": "Inês", "card": "M-0001", "pin": "2468", "joined": "2026-01-02",
                        "lastVisit": "2026-11-02T09:30",
                        "address": #"{"street":"12 Harbour Road","town":"Whitby"}"#,
                    ])
                #expect(try library.text("Member", "pin", of: member) == "2468")
                #expect(try library.text("Member", "lastVisit", of: member) == "2026-11-02T09:30:00.000Z")
                let loan = try await library.add(
                    "loans",
                    [
                        "copy": copy, "member": member, "borrowed": "2026-11-02", "due": "2026-11-30",
                        "returned": "2026-11-20",
                        "fine": "0.5", "remindedAt": "2026-11-19T08:00:00",
                    ])
                #expect(try library.text("Loan", "fine", of: loan) == "50")

                #expect(try await library.edit("genres", child, ["name": "Novels", "parent": genre]).status == 303)
                #expect(
                    try await library.edit(
                        "authors", author, ["name": "J. Austen", "born": "", "died": "", "website": ""]
                    ).status == 303)
                #expect(try library.text("Author", "born", of: author) == "")
                #expect(
                    try await library.edit(
                        "members", member, ["name": "Inês C.", "card": "M-0001", "joined": "2026-01-02"]
                    ).status == 303)
                #expect(try library.text("Member", "pin", of: member) == "2468", "A secret that is not typed stays.")
                #expect(try await library.edit("loans", loan, ["fine": "1.25", "due": "2026-12-01"]).status == 303)
                #expect(try library.text("Loan", "fine", of: loan) == "125")

                for (slug, id, allow) in [
                    ("loans", loan, 0), ("copies", copy, 0), ("members", member, 0), ("books", book, 0),
                ] {
                    let answer = try await library.delete(slug, id, allow: allow)
                    #expect(answer.status == 303, "\(slug): \(answer.words)")
                }
                #expect(try await library.delete("books", first).status == 303)
                #expect(try await library.delete("authors", author).status == 303)
                #expect(try await library.delete("genres", child).status == 303)
                #expect(try await library.delete("genres", genre).status == 303)
                for table in ["Genre", "Author", "Book", "Copy", "Member", "Loan"] {
                    #expect(try library.count(table) == 0, "\(table)")
                }
                #expect(try library.count("aviary_link.Book.authors") == 0)
            }
        }

        @Test("No page contains a PIN, not even after it was typed")
        func secret() async throws {
            try await Librarian.use(withSample: true) { library in
                let ids = try await library.browser.get("/admin/members").identifiers
                for path in ["/admin/members"] + ids.map({ "/admin/members/\($0)" }) {
                    #expect(try await !library.browser.get(path).body.contains("2468"), "\(path)")
                }
                let refused = try await library.browser.post(
                    "/admin/members",
                    try await library.blank("members", ["name": "Ada", "card": "wrong", "pin": "97531"])
                )
                #expect(refused.status == 422 && !refused.body.contains("97531"))
                #expect(refused.problems["pin"]?.contains("Enter this again") == true)
            }
        }

        @Test("Each violated rule is reported beside its field, and nothing is stored")
        func rules() async throws {
            try await Librarian.use { library in
                for rule in Self.rules {
                    let form = try await library.blank(rule.slug, [rule.field: rule.value])
                    let answer = try await library.browser.post("/admin/\(rule.slug)", form)
                    #expect(answer.status == 422, "\(rule)")
                    #expect(answer.problems[rule.field]?.contains(rule.words) == true, "\(rule): \(answer.problems)")
                    if rule.stays { #expect(Markup.unescaped(answer.body).contains(rule.value), "\(rule)") }
                }
                for table in ["Author", "Book", "Copy", "Loan", "Member"] {
                    #expect(try library.count(table) == 0, "\(table)")
                }
            }
        }

        private struct Rule {
            let slug, field, value, words: String
            var stays = true
        }

        private static let rules = [
            Rule(slug: "authors", field: "name", value: "", words: "The author needs a name.", stays: false),
            Rule(
                slug: "books", field: "title", value: String(repeating: "x", count: 201),
                words: "at most 200 characters"),
            Rule(slug: "books", field: "year", value: "1200", words: "from 1450 to 2100"),
            Rule(slug: "books", field: "year", value: "MDCCC", words: "whole number"),
            Rule(slug: "books", field: "isbn", value: "123", words: "13 digits, such as 978-0141439518"),
            Rule(slug: "books", field: "price", value: "-1", words: "at least 0"),
            Rule(slug: "books", field: "price", value: "9.999", words: "at most 2 digits after the decimal point"),
            Rule(slug: "books", field: "online", value: "not an address", words: "https://"),
            Rule(slug: "books", field: "audience", value: "7", words: "Choose one of", stays: false),
            Rule(slug: "copies", field: "number", value: "0", words: "at least 1"),
            Rule(slug: "copies", field: "number", value: "70000", words: "65,535"),
            Rule(slug: "copies", field: "shelfmark", value: "aus-1", words: "a shelfmark such as AUS-001"),
            Rule(slug: "loans", field: "due", value: "2026-02-30", words: "a valid date"),
            Rule(slug: "members", field: "card", value: "42", words: "a card number such as M-0042"),
            Rule(slug: "members", field: "pin", value: "1", words: "at least 4 characters", stays: false),
            Rule(slug: "members", field: "address", value: #"{"street":"Mill Lane"}"#, words: "town is missing"),
        ]

        @Test("Rules across fields are reported beside the field to change")
        func across() async throws {
            try await Librarian.use(withSample: true) { library in
                let copy = try #require(try await library.browser.get("/admin/copies").identifiers.last)
                let member = try #require(try await library.browser.get("/admin/members").identifiers.last)
                let form = try await library.blank(
                    "loans",
                    [
                        "copy": copy, "member": member, "borrowed": "1999-11-02", "due": "1999-11-01",
                        "returned": "1999-10-31",
                    ])
                let answer = try await library.browser.post("/admin/loans", form)
                #expect(answer.status == 422)
                #expect(
                    answer.problems == [
                        "due": "Choose a day after the loan began.", "returned": "Choose a day after the loan began.",
                    ])
            }
        }
    }
}
