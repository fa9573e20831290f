import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Importing records in the admin", .server, .serialized)
struct ImportPagesTests {
    private let mark = Unique.name("i")

    /// Uploads the file and returns the address of its preview.
    private func page(_ text: String, by browser: Browser, to model: String = "animals") async throws -> String {
        let answer = try await browser.bring(text, to: model)
        #expect(answer.status == 303)
        let location = try #require(answer.location)
        #expect(location.hasPrefix("/admin/\(model)/import/"))
        return location
    }

    private func post(_ browser: Browser, _ path: String, _ fields: KeyValuePairs<String, String>) async throws
        -> Answer
    {
        var form = Form(fields)
        form["csrf"] = try await browser.token()
        return try await browser.post(path, form)
    }

    /// Imports the file, and returns its page after the import has ended.
    private func imported(_ browser: Browser, _ path: String, _ fields: KeyValuePairs<String, String>) async throws
        -> Answer
    {
        try await browser.importing(path, Form(fields).with("do", "import"))
    }

    private func names(_ browser: Browser) async throws -> [String] {
        try await browser.get("/admin/animals/export?q=\(mark)&sort=name").source.split(separator: "\r\n").dropFirst()
            .map { String($0.split(separator: ",")[1]) }
    }

    @Test("A file with two million columns is rejected with a short page")
    func columns() async throws {
        let browser = Browser(try .shared)
        let path = try await page(String(repeating: "a,", count: 2_000_000) + "\n", by: browser)
        let refused = try await browser.get(path)
        #expect(refused.status == 422)
        #expect(refused.body.contains("This line has more than 1,000 fields."))
        #expect(refused.source.utf8.count < 100_000)
    }

    @Test("The preview matches columns by name and stores nothing before it is confirmed")
    func preview() async throws {
        let browser = Browser(try .shared)
        let path = try await page(
            "name,diet,colour\r\n\(mark) a,herbivorous,<b>red</b>\r\n\(mark) b,carnivorous,\r\n", by: browser)
        let page = try await browser.get(path)
        #expect(page.status == 200)
        #expect(page.body.contains("2 animals will be added."))
        #expect(
            page.body.contains(#"<option value="name" selected>"#)
                && page.body.contains(#"<option value="diet" selected>"#))
        #expect(page.body.contains("&lt;b&gt;red&lt;/b&gt;") && !page.body.contains("<b>red"))
        #expect(try await names(browser).isEmpty)
        let done = try await imported(browser, path, ["column.0": "name", "column.1": "diet", "column.2": ""])
        #expect(done.status == 200)
        #expect(done.body.contains("Imported the file") && done.body.contains("New: 2 animals."))
        #expect(done.body.contains(#"href="/admin/activity/"#))
        #expect(try await names(browser) == ["\(mark) a", "\(mark) b"])
        // A second attempt finds no file to import.
        #expect(try await post(browser, path, ["column.0": "name", "column.1": "diet", "do": "import"]).status == 404)
        #expect(try await names(browser).count == 2)
    }

    @Test("Columns, texts for no value and missing categories are configurable on the page")
    func mapping() async throws {
        let browser = Browser(try .shared)
        let path = try await page(
            "Title,Food,Kind\n\(mark) a,herbivorous,\(mark) kind\n\(mark) b,carnivorous,NA\n", by: browser)
        let first = try await browser.get(path)
        #expect(
            first.body.contains("No column matches a field")
                || first.body.contains("needs a value"))
        let choices: KeyValuePairs = [
            "column.0": "name", "column.1": "diet", "column.2": "category", "null": "NA, none", "do": "check",
        ]
        let checked = try await post(browser, path, choices)
        #expect(Markup.unescaped(checked.body).contains("Line 2: Kind: No animal category has this name."))
        #expect(try await names(browser).isEmpty)
        let done = try await imported(
            browser, path,
            [
                "column.0": "name", "column.1": "diet", "column.2": "category", "null": "NA, none", "related": "true",
            ])
        #expect(
            done.status == 200 && done.body.contains("New: 2 animals and 1 animal category."),
            "\(done.body.prefix(3000))")
    }

    @Test("The preview of a file with invalid lines says that nothing would be imported")
    func promise() async throws {
        let browser = Browser(try .shared)
        let path = try await page("name,diet\n\(mark) a,herbivorous\n\(mark) b,wood\n\(mark) c,stone\n", by: browser)
        let page = try await browser.get(path)
        #expect(page.body.contains("Nothing would be imported: 2 of 3 lines have problems."))
        #expect(!page.body.contains("<h2>Preview</h2>") && !page.body.contains("will be added"))
        #expect(page.body.contains(#"<button class="button" name="do" value="import">"#))
        let good = try await browser.get(try await self.page("name\n\(mark) d\n", by: browser))
        #expect(good.body.contains("<h2>Preview</h2>") && good.body.contains("1 animal will be added."))
        #expect(!good.body.contains("Result") && !good.body.contains("Nothing would be imported"))
        #expect(good.body.contains(#"<button class="button primary" name="do" value="import">"#))
    }

    @Test("An attempt to import a file without a mapped column shows the reason once")
    func nothingMapped() async throws {
        let browser = Browser(try .shared)
        let path = try await page("Title,Food\n\(mark) a,herbivorous\n", by: browser)
        let answer = try await imported(browser, path, ["column.0": "", "column.1": ""])
        #expect(answer.body.matches(of: /No column matches a field/).count == 1)
        #expect(try await names(browser).isEmpty)
    }

    @Test("The options of an import are a group of their own next to the columns")
    func options() async throws {
        let browser = Browser(try .shared)
        let body = try await browser.get(try await page("name\n\(mark) a\n", by: browser)).body
        let group = try #require(body.firstMatch(of: /<legend>Options<\/legend>.*?<\/fieldset>/)).output
        #expect(group.contains(#"name="match""#) && group.contains(#"name="null""#))
        #expect(!group.contains(#"name="column.0""#))
    }

    @Test("Equal problems are one line of the page with their values, before the import and after it")
    func groupedProblems() async throws {
        let browser = Browser(try .shared)
        let lines = ["wood", "wood", "stone", "herbivorous"].map { "\(mark) a,\($0)\n" }.joined()
        let path = try await page("name,diet\n" + lines, by: browser)
        let words = "The lines have “wood” (2) and “stone”."
        #expect(Markup.unescaped(try await browser.get(path).body).contains(words))
        let answer = try await imported(browser, path, ["column.0": "name", "column.1": "diet"])
        let body = Markup.unescaped(answer.body)
        #expect(body.contains("Lines 2–4: diet: ") && body.contains(words), "\(body)")
    }

    @Test("An import with an invalid line reports its number, stores nothing and can be repeated")
    func wrong() async throws {
        let browser = Browser(try .shared)
        let path = try await page("name,diet\n\(mark) a,herbivorous\n\(mark) b,wood\n", by: browser)
        let answer = try await imported(browser, path, ["column.0": "name", "column.1": "diet"])
        #expect(answer.body.contains("Nothing was imported: 1 line has problems (line 3)."))
        #expect(answer.body.contains("Line 3: diet:"))
        #expect(answer.body.contains(#"<option value="diet" selected>"#), "as it was chosen")
        #expect(try await names(browser).isEmpty)
        #expect(try await imported(browser, path, ["column.0": "name"]).body.contains("Imported the file"))
        #expect(try await names(browser).count == 2)
    }

    @Test("An import can update existing records by their identifier")
    func updated() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("\(mark) old")
        let path = try await page(#"{"id":"\#(id)","name":"\#(mark) new"}"# + "\n", by: browser)
        let done = try await imported(browser, path, ["column.0": "id", "column.1": "name", "match": "id"])
        #expect(done.body.contains("Changed: 1."))
        #expect(try await names(browser) == ["\(mark) new"])
    }

    @Test("Invalid lines beyond the preview are reported when the import starts")
    func wrongBehind() async throws {
        let browser = Browser(try .shared)
        let lines = (0..<1300).map { "\(mark) \($0),\($0 < 1100 ? "herbivorous" : "wood")\n" }.joined()
        let path = try await page("name,diet\n" + lines, by: browser)
        #expect(!(try await browser.get(path)).body.contains("Nothing would be imported"))
        let answer = try await imported(browser, path, ["column.0": "name", "column.1": "diet"])
        #expect(answer.body.contains("Nothing was imported: 200 lines have problems (lines 1102–1301)."))
        #expect(answer.body.contains("Lines 1102–1301: diet:"))
        #expect(try await names(browser).isEmpty)
    }

    @Test("The result of an import remains available to the person who started it")
    func kept() async throws {
        let browser = Browser(try .shared, as: "keeper-\(mark)", role: "editor")
        let path = try await page("name\n\(mark) a\n", by: browser)
        _ = try await imported(browser, path, ["column.0": "name"])
        for _ in 0..<2 { #expect(try await browser.get(path).body.contains("New: 1 animal.")) }
        let start = try await browser.get("/admin/animals/import")
        #expect(start.body.contains("Your last import") && start.source.contains(#"href="\#(path)""#))
        #expect(
            !(try await Browser(.shared, as: "other-\(mark)", role: "editor").get("/admin/animals/import")).body
                .contains("Your last import"))
    }

    @Test("The preview covers the first lines only, and an import of several steps can be undone at once")
    func undoneCommits() async throws {
        let browser = Browser(try .shared)
        let lines = (0..<1100).map { "\(mark) \($0)" }.joined(separator: "\n")
        let path = try await page("name\n\(lines)\n", by: browser)
        #expect(try await browser.get(path).body.contains("First 1,000 lines: 1,000 animals will be added."))
        let done = try await imported(browser, path, ["column.0": "name"])
        #expect(
            done.body.contains("New: 1,100 animals.") && done.body.contains(">Show step ")
                && !done.body.contains(">Commit "))
        let action = try #require(done.body.firstMatch(of: /action="(\/admin\/undo\/\d+)"/)).output.1
        var answer = try await browser.post(
            String(action), try Form(of: done, action: String(action)).with("csrf", done.csrf))
        // A request undoes steps for a second, at least one of the three, and the form of its page continues.
        for _ in 0..<2 where answer.body.contains("so far.") {
            let next = try #require(answer.body.firstMatch(of: /action="(\/admin\/undo\/\d+)"/)).output.1
            answer = try await browser.post(
                String(next), try Form(of: answer, action: String(next)).with("csrf", answer.csrf))
        }
        #expect(answer.body.contains("Undid all steps"), "\(answer.body.prefix(2000))")
        #expect(try await names(browser).isEmpty)
        let after = try await browser.get(path)
        #expect(after.body.contains("Everything has been undone since then.") && !after.body.contains("Undo all"))
    }

    @Test("The page of an import says how many of its steps were undone")
    func partlyTakenBack() async throws {
        let browser = Browser(try .shared)
        let path = try await page("name\n\((0..<600).map { "\(mark) \($0)" }.joined(separator: "\n"))\n", by: browser)
        let done = try await imported(browser, path, ["column.0": "name"])
        #expect(!done.body.contains("undone since"))
        let step = try #require(done.body.matches(of: /href="(\/admin\/activity\/\d+)"/).last).output.1
        let action = step.replacing("activity", with: "undo")
        _ = try await post(browser, String(action), [:])
        #expect(try await browser.get(path).body.contains("1 of 2 steps has been undone since then."))
        #expect(try await names(browser).count == 500)
    }

    @Test("The page of an interrupted import says how many batches were stored")
    func interrupted() async throws {
        let browser = Browser(try .shared, as: "unlucky-\(mark)", role: "editor")
        let path = try await page("name\n\(mark) a\n", by: browser)
        let id = String(try #require(path.split(separator: "/").last)), imports = try Server.shared.data + "/imports"
        let files = FileManager.default.enumerator(atPath: imports)?.allObjects as? [String] ?? []
        let folder = imports + "/" + String(try #require(files.first { $0.hasSuffix(id) }).prefix { $0 != "/" })
        var job = ImportJob(of: id, form: [FormField(name: "column.0", value: "name")], at: Date())
        try JSONEncoder().encode(job).write(to: URL(filePath: folder + "/.job.json"))
        let before = try await browser.get(path)
        #expect(
            before.body.contains("The import was interrupted. Nothing was saved.")
                && before.body.contains(#"value="import">"#))
        job.stored.commits = [1, 2]
        job.stored.lastLine = 1001
        // No commit has this change set.
        job.sent = ImportJob.SentBatch(changeSet: UUID(), report: ImportReport())
        try JSONEncoder().encode(job).write(to: URL(filePath: folder + "/.job.json"))
        let page = try await browser.get(path)
        #expect(page.header("Refresh").isEmpty)
        #expect(page.body.contains("Saved 2 complete batches, up to line 1001."))
        #expect(page.body.contains(#"href="/admin/activity/2""#))
    }

    @Test("A preview that is requested after the import has begun shows its result")
    func previewedLate() async throws {
        let browser = Browser(try .shared, as: "late-\(mark)", role: "editor")
        let path = try await page("name\n\(mark) a\n", by: browser)
        _ = try await imported(browser, path, ["column.0": "name"])
        let late = try await post(browser, path, ["column.0": "name", "do": "check"])
        #expect(late.status == 200)
        #expect(late.body.contains("New: 1 animal."))
        #expect(try await names(browser) == ["\(mark) a"])
    }

    @Test("Cancel removes the file")
    func cancelled() async throws {
        let browser = Browser(try .shared)
        let path = try await page("name\n\(mark)\n", by: browser)
        #expect(try await browser.get(path).body.contains(#"name="do" value="cancel">Cancel</button>"#))
        let answer = try await post(browser, path, ["column.0": "name", "do": "cancel"])
        #expect(answer.status == 303 && answer.location == "/admin/animals")
        #expect(try await browser.get(path).status == 404)
        #expect(try await names(browser).isEmpty)
    }

    @Test("Only the person who uploaded a file sees it, and only for its model")
    func owner() async throws {
        let browser = Browser(try .shared), other = Browser(try .shared, as: "other-importer", role: "editor")
        let path = try await page("name\n\(mark)\n", by: browser)
        #expect(try await other.get(path).status == 404)
        #expect(try await post(other, path, ["column.0": "name", "do": "import"]).status == 404)
        #expect(try await browser.get(path.replacing("animals", with: "friends")).status == 404)
        #expect(try await names(browser).isEmpty)
    }

    @Test("An invalid file imports nothing and is reported", arguments: ["", "\"", "a,b\n\"", "{]"])
    func nothing(text: String) async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.bring(text)
        let page = if let location = answer.location { try await browser.get(location) } else { answer }
        #expect(page.status == 422 || page.body.contains("Line") || page.body.contains("No column"), "\(page.status)")
        #expect(try await names(browser).isEmpty)
    }
}
