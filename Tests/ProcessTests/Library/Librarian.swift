import AviaryDomain
import Foundation
import Testing

/// A person who uses the library's admin. Every form is opened, filled in and sent as a browser does it.
struct Librarian {
    let server: Server
    let browser: Browser

    init(_ server: Server) {
        self.server = server
        browser = Browser(server)
    }

    /// Runs the body with a library server, which is empty unless the sample is requested.
    static func use(withSample: Bool = false, _ body: (Librarian) async throws -> Void) async throws {
        try await TestDirectory.use { directory in
            if withSample {
                let run = try await Program.library.run(["fill", "--data", directory.data], in: directory)
                try #require(run.exitCode == 0, "\(run.errors)")
            }
            try await body(Librarian(try await Server.start(.library, in: directory)))
        }
    }

    /// Returns the filled-in sheet of a new record. A field that is named several times has several values.
    func blank(_ slug: String, _ fields: KeyValuePairs<String, String>) async throws -> Form {
        try Form(sheetOf: try await browser.get("/admin/\(slug)/new?fresh=1")).filled(fields)
    }

    func add(_ slug: String, _ fields: KeyValuePairs<String, String>) async throws -> String {
        let form = try await blank(slug, fields)
        let answer = try await browser.post("/admin/\(slug)", form)
        try #require(answer.status == 303, "\(slug): \(answer.status) \(answer.problems)")
        return try #require(form["id"])
    }

    /// Opens the record's sheet, changes the named fields, and sends the others as the page has them.
    func edit(_ slug: String, _ id: String, _ fields: KeyValuePairs<String, String>) async throws -> Answer {
        let sheet = try await browser.get("/admin/\(slug)/\(id)")
        let form = try Form(sheetOf: sheet).withChecked(of: sheet).filled(fields)
        return try await browser.post("/admin/\(slug)/\(id)", form)
    }

    func delete(_ slug: String, _ id: String, allow: Int = 0) async throws -> Answer {
        let form = Form(["csrf": try await browser.token(), "id": id, "allow": "\(allow)"])
        return try await browser.post("/admin/\(slug)/delete", form)
    }

    func text(_ table: String, _ column: String, of id: String) throws -> String? {
        try StoreFile(server.directory).rows("SELECT \"\(column)\" FROM \"\(table)\" WHERE id = '\(id)'").first?.first
    }

    func count(_ table: String) throws -> Int {
        Int(try StoreFile(server.directory).rows("SELECT count(*) FROM \"\(table)\"").first?.first ?? "") ?? -1
    }
}

extension Form {
    /// Returns the form with the boxes that are ticked in the sheet, which a browser sends as well.
    func withChecked(of answer: Answer) -> Form {
        let sheet = answer.source.components(separatedBy: #"<form id="sheet-form""#).last ?? ""
        var form = self
        for box in sheet.matches(of: /<input type="checkbox"[^>]*? name="([^"]+)" value="([^"]*)"([^>]*)>/)
        where box.3.contains("checked") {
            form.add(String(box.1), Markup.unescaped(box.2))
        }
        return form
    }

    func filled(_ fields: KeyValuePairs<String, String>) -> Form {
        var form = self
        for name in Set(fields.map(\.key)) { form[name] = nil }
        for (name, value) in fields { form.add(name, value) }
        return form
    }
}

extension Answer {
    /// The error messages beside the fields, by field.
    var problems: [String: String] {
        let found = source.matches(of: /<p class="error" id="error-([^"]+)">(?:<svg.*?<\/svg>)?([^<]*)<\/p>/)
        return Dictionary(found.map { (String($0.1), Markup.unescaped($0.2)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The text of the page without its markup.
    var words: String {
        Markup.unescaped(body.replacing(/<[^>]+>/, with: " ").replacing(/\s+/, with: " "))
    }

    /// The slugs that the navigation links to.
    var places: Set<String> { Set(source.matches(of: /href="\/admin\/([a-z-]+)"/).map { String($0.1) }) }

    /// The ids of the records that a list shows.
    var identifiers: [String] {
        source.matches(of: /<input type="checkbox" name="id" value="([^"]+)"/).map { String($0.1) }
    }
}
