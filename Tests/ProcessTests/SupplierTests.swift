import Foundation
import Testing

extension ServedApplications {
    @Suite("Secrets, rules and computed properties in the admin")
    struct SupplierTests {
        private static let secret = "opensesame-please"
        /// A text that no id and no token can contain by chance, unlike four digits.
        private static let mark = "opensesame"

        @Test("A secret is stored but appears in no page, log, history or ordinary backup")
        func secret() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                var pages: [Answer] = []
                let form = try await supplier(browser, "Hay")
                // The first save is rejected, and the page that comes back does not contain the secret either.
                pages.append(
                    try await browser.post("/admin/suppliers", form.with("name", "").with("accessKey", Self.secret)))
                #expect(pages.last?.status == 422)
                pages.append(try await browser.post("/admin/suppliers/draft", form.with("accessKey", Self.secret)))
                pages.append(try await browser.get("/admin/suppliers/new"))
                pages.append(try await browser.post("/admin/suppliers", form.with("accessKey", Self.secret)))
                try #require(pages.last?.status == 303)
                let id = try #require(form["id"])
                let file = StoreFile(server.directory)
                #expect(try file.rows(#"SELECT "accessKey" FROM "Supplier""#) == [[Self.secret]])
                pages.append(try await browser.get("/admin/suppliers"))
                let sheet = try await browser.get("/admin/suppliers/\(id)")
                pages.append(sheet)
                #expect(sheet.body.contains(#"type="password" id="field-accessKey""#))
                // Two people edit the record. The second one sees the differences.
                var mine = try Form(sheetOf: sheet)
                for (name, value) in ["name": "Hay & Co", "town": "Berlin", "rating": "3", "code": "", "accessKey": ""]
                { mine[name] = value }
                pages.append(try await browser.post("/admin/suppliers/\(id)", mine.with("name", "Hay & Sons")))
                try #require(pages.last?.status == 303)
                let again = mine.with("draft", UUID().uuidString.lowercased()).with("accessKey", "opensesame-again")
                pages.append(try await browser.post("/admin/suppliers/\(id)", again))
                #expect(pages.last?.status == 409)
                #expect(try file.rows(#"SELECT "name", "accessKey" FROM "Supplier""#) == [["Hay & Sons", Self.secret]])
                for page in pages {
                    #expect(!(page.source + "\(page.headers)").contains(Self.mark))
                }
                for table in try file.tables() where table.hasPrefix("aviary_") {
                    #expect(
                        try !file.rows("SELECT * FROM \"\(table)\"").joined().contains { $0.contains(Self.mark) },
                        "\(table)")
                }
                let backup = server.directory.path("backup.jsonl.gz"), whole = server.directory.path("whole.jsonl.gz")
                let done = try await run(server, "backup", "--output", backup)
                #expect(
                    done.exitCode == 0
                        && done.errors.contains("It contains no secrets. Add --include-secrets to include them."))
                #expect(try await !lines(of: backup).contains(Self.mark))
                #expect(try await run(server, "backup", "--output", whole, "--include-secrets").exitCode == 0)
                #expect(try await lines(of: whole).contains(Self.secret))
                #expect(try !server.errors().contains(Self.mark))
                #expect(try await run(server, "restore", backup, "--yes").exitCode == 0)
                #expect(try file.rows(#"SELECT "accessKey" FROM "Supplier""#) == [[Self.secret]])
            }
        }

        @Test("A secret can be cleared on the sheet")
        func cleared() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                let form = try await supplier(browser, "Hay")
                #expect(try await browser.post("/admin/suppliers", form.with("accessKey", Self.secret)).status == 303)
                let id = try #require(form["id"])
                var sheet = try Form(sheetOf: try await browser.get("/admin/suppliers/\(id)"))
                for (name, value) in ["name": "Hay", "town": "Berlin", "rating": "3", "code": "", "accessKey": ""] {
                    sheet[name] = value
                }
                #expect(
                    try await browser.post("/admin/suppliers/\(id)", sheet.with("accessKey.clear", "true")).status
                        == 303)
                #expect(try StoreFile(server.directory).rows(#"SELECT "accessKey" IS NULL FROM "Supplier""#) == [["1"]])
            }
        }

        @Test("A violated rule is reported beside its field, and nothing is stored")
        func refused() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                for (field, text, message) in Self.refusals {
                    let answer = try await browser.post(
                        "/admin/suppliers", try await supplier(browser, "Hay").with(field, text))
                    #expect(answer.status == 422, "\(field): \(text)")
                    #expect(answer.body.contains(message), "\(field): \(text)")
                    if field == "town" { #expect(answer.body.contains(text)) }
                }
                #expect(try StoreFile(server.directory).rows(#"SELECT * FROM "Supplier""#).isEmpty)
            }
        }

        private static let refusals = [
            ("name", "", "The supplier needs a name."), ("name", "Berlin", "A supplier is not a town."),
            ("town", String(repeating: "x", count: 41), "Enter at most 40 characters."),
            ("rating", "6", "Enter a number from 0 to 5."), ("rating", "5", "Who has five stars needs a code."),
            ("code", "ab-1", "Enter a code such as AB-12."), ("accessKey", "short", "Enter at least 8 characters."),
        ]

        @Test("A repeated combination of unique values is reported with the names of both fields")
        func uniqueTogether() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                for town in ["Berlin", "Bonn"] {
                    #expect(
                        try await browser.post(
                            "/admin/suppliers", try await supplier(browser, "Hay").with("town", town)
                        ).status == 303)
                }
                let answer = try await browser.post(
                    "/admin/suppliers", try await supplier(browser, "Hay").with("town", "Bonn"))
                #expect(answer.status == 422)
                #expect(
                    answer.body.contains(
                        "Another supplier already has this combination of name and town. Change one of them."))
            }
        }

        @Test("A computed property is a column that cannot be sorted")
        func computed() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                #expect(
                    try await browser.post("/admin/suppliers", try await supplier(browser, "Hay").with("rating", "4"))
                        .status == 303)
                let list = try await browser.get("/admin/suppliers").body
                #expect(list.contains("Stars") && list.contains("****"))
                #expect(list.contains("sort=-name") && !list.contains("sort=stars") && !list.contains("sort=computed"))
                #expect(try await browser.get("/admin/suppliers?sort=computed.0").status != 200)
            }
        }

        @Test("An import enforces rules across fields and reports the line")
        func imported() async throws {
            try await Server.use(.extendedZoo) { server in
                let file = server.directory.path("suppliers.csv")
                try Data("name,town,rating,code\nHay,Berlin,3,\nStraw,Berlin,5,\nBonn,Bonn,1,\n".utf8).write(
                    to: URL(filePath: file))
                let done = try await run(server, "import", "Supplier", file)
                #expect(done.exitCode == 1)
                #expect(done.errors.contains("3") && done.errors.contains("code: Who has five stars needs a code."))
                #expect(done.errors.contains("A supplier is not a town."))
                #expect(try StoreFile(server.directory).rows(#"SELECT * FROM "Supplier""#).isEmpty)
            }
        }

        private func supplier(_ browser: Browser, _ name: String) async throws -> Form {
            var form = try Form(sheetOf: try await browser.get("/admin/suppliers/new?fresh=1"))
            for (field, value) in ["name": name, "town": "Berlin", "rating": "3", "code": "", "accessKey": ""] {
                form[field] = value
            }
            return form
        }

        private func run(_ server: Server, _ arguments: String...) async throws -> Program.Run {
            try await Program.extendedZoo.run(arguments + ["--data", server.directory.data], in: server.directory)
        }

        private func lines(of file: String) async throws -> String {
            try await BackupTests.lines(of: file).joined(separator: "\n")
        }
    }
}
