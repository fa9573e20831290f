import Aviary
import AviaryTesting
import TestSupport
import Testing

@Model
struct Hive {
    @Attribute(.required, .unique, .length(...5)) var code: String
    var frames: Int = 10
    @Relationship(inverse: \Bee.hive) var bees: Related<Bee>

    func validate() -> [FieldProblem] {
        code == "void" ? [FieldProblem(\Hive.code, "Choose a code that is not reserved.")] : []
    }
}

@Model
struct Bee {
    @Attribute(.required, .length(...5)) var name: String
    var hive: Reference<Hive>?
}

/// An application whose hooks make short texts of long ones, and a code of none.
private struct Apiary: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Hive.self).inline(\.bees, \.name).action("Recode") { $0.code = "  RECOD  " }
            .action("Spoil") { $0.code = "too long" }
        ModelAdmin(Bee.self)
    }

    var saveHooks: [SaveHook] {
        SaveHook.before(Hive.self) { hive, _ in
            hive.code = hive.code.split(separator: " ").joined(separator: " ").lowercased()
            if hive.code.isEmpty { hive.code = "new" }
            if hive.code == "stop" { throw SaveError(\Hive.code, "The hook stops this.") }
        }
        SaveHook.before(Bee.self) { bee, _ in
            bee.name = bee.name.split(separator: " ").joined(separator: " ")
        }
    }
}

@Suite("Hooks before a save run after values are read and before their rules are checked")
struct HookOrderTests {
    private static let tooLong = "Enter at most 5 characters."

    private func serve(
        _ body: (TestApplication, TestBrowser, Repository<Hive>) async throws -> Void
    ) async throws {
        try await TestApplication.serve(Apiary.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            try await body(application, browser, try await application.store().repository(for: Hive.self))
        }
    }

    private func add(_ values: KeyValuePairs<String, String>, by browser: TestBrowser) async throws -> TestResponse {
        var sheet = try await browser.get("/admin/hives/new?fresh=1").sheet()
        for (name, value) in values { sheet[name] = value }
        return try await browser.submit(sheet)
    }

    @Test("A sheet accepts a text that a hook makes valid, also one that is required and empty")
    func sheets() async throws {
        try await serve { _, browser, hives in
            let trimmed = try await add(["code": "   ABCDE   "], by: browser)
            let filledIn = try await add(["code": ""], by: browser)
            #expect(trimmed.status == 303 && filledIn.status == 303)
            #expect(try await Set(hives.fetchAll().map(\.code)) == ["abcde", "new"])
        }
    }

    @Test("A sheet shows the problems of what a hook returns, at the fields, and stores nothing")
    func sheetProblems() async throws {
        try await serve { _, browser, hives in
            for (code, problem) in [
                ("abcdef", Self.tooLong), (" VOID ", "Choose a code that is not reserved."),
                ("STOP", "The hook stops this."),
            ] {
                let refused = try await add(["code": code], by: browser)
                #expect(refused.status == 422 && refused.body.contains(problem), "\(code)")
                #expect(refused.body.contains("id=\"error-code\""), "\(code)")
                #expect(try refused.sheet()["code"] == code)
            }
            #expect(try await hives.fetchCount() == 0)
        }
    }

    @Test("A value that cannot be read fails before any hook runs")
    func unreadable() async throws {
        try await serve { _, browser, hives in
            let refused = try await add(["code": "stop", "frames": "many"], by: browser)
            #expect(refused.status == 422 && !refused.body.contains("The hook stops this."))
            #expect(try await hives.fetchCount() == 0)
        }
    }

    @Test("A changed record in a sheet follows the same order")
    func changes() async throws {
        try await serve { _, browser, hives in
            let hive = Hive(code: "old")
            try await hives.insert(hive)
            var sheet = try await browser.get("/admin/hives/\(hive.id)").sheet()
            sheet["code"] = "  FRESH  "
            #expect(try await browser.submit(sheet).status == 303)
            #expect(try await hives.fetchAll().map(\.code) == ["fresh"])
            sheet = try await browser.get("/admin/hives/\(hive.id)").sheet()
            sheet["code"] = "fresher"
            let refused = try await browser.submit(sheet)
            #expect(refused.status == 422 && refused.body.contains(Self.tooLong))
            #expect(try await hives.fetchAll().map(\.code) == ["fresh"])
        }
    }

    @Test("A row in the sheet of another record follows the same order")
    func rows() async throws {
        try await serve { application, browser, hives in
            let hive = Hive(code: "a"), bee = Bee(name: "Maja", hive: Reference(hive))
            let bees = try await application.store().repository(for: Bee.self)
            try await hives.insert(hive)
            try await bees.insert(bee)
            let field = "bees.\(bee.id).name"
            var sheet = try await browser.get("/admin/hives/\(hive.id)").sheet()
            #expect(sheet[field] == "Maja")
            sheet[field] = "   Willi   "
            #expect(try await browser.submit(sheet).status == 303)
            #expect(try await bees.fetchAll().map(\.name) == ["Willi"])
            sheet = try await browser.get("/admin/hives/\(hive.id)").sheet()
            sheet[field] = "Thekla"
            let refused = try await browser.submit(sheet)
            #expect(refused.status == 422 && refused.body.contains(Self.tooLong))
            #expect(try await bees.fetchAll().map(\.name) == ["Willi"])
        }
    }

    @Test("Changes through the store follow the same order: an insert, an update, a save and a change set")
    func store() async throws {
        try await serve { application, _, hives in
            let hive = Hive(code: "  ABCDE  ")
            try await hives.insert(hive)
            #expect(try await hives.find(hive.id)?.code == "abcde")
            try await hives.update(hive.id) { $0.code = "  UPDAT  " }
            #expect(try await hives.find(hive.id)?.code == "updat")
            var changed = hive
            changed.code = "  SAVED  "
            try await hives.save(changed)
            #expect(try await hives.find(hive.id)?.code == "saved")
            try await application.store().submit([.insert(Hive(code: "  OTHER  "))])
            #expect(try await Set(hives.fetchAll().map(\.code)) == ["saved", "other"])
        }
    }

    @Test("A change through the store whose result breaks a rule is refused")
    func storeProblems() async throws {
        try await serve { application, _, hives in
            let hive = Hive(code: "kept")
            try await hives.insert(hive)
            var long = hive
            long.code = "too long"
            let attempts: [() async throws -> Void] = [
                { try await hives.insert(Hive(code: "too long")) },
                { try await hives.insert(Hive(code: " VOID ")) },
                { try await hives.update(hive.id) { $0.code = "too long" } },
                { [long] in try await hives.save(long) },
                { try await application.store().submit([.insert(Hive(code: "too long"))]) },
            ]
            for (index, attempt) in attempts.enumerated() {
                let error = await #expect(throws: StoreError.self, "\(index)") { try await attempt() }
                #expect(error?.code == .invalid, "\(index)")
            }
            #expect(try await hives.fetchAll().map(\.code) == ["kept"])
        }
    }

    @Test("An action on selected records follows the same order")
    func actions() async throws {
        try await serve { _, browser, hives in
            let hive = Hive(code: "old")
            try await hives.insert(hive)
            func run(_ action: String) async throws -> TestResponse {
                let form = TestForm(["csrf": try await browser.csrfToken(), "do": action, "id": "\(hive.id)"])
                return try await browser.post("/admin/hives/batch", form)
            }
            #expect(try await run("recode").status == 303)
            #expect(try await hives.fetchAll().map(\.code) == ["recod"])
            #expect(try await run("spoil").status != 303)
            #expect(try await hives.fetchAll().map(\.code) == ["recod"])
        }
    }

    @Test("An import checks each line as it is stored: after the hooks, also that values are unique")
    func imports() async throws {
        try await serve { _, browser, hives in
            try await hives.insert(Hive(code: "taken"))
            let wrong = try await upload("code\nabcdef\nSTOP\n TAKEN \nTwin\n twin\n", by: browser)
            let page = try await browser.get(wrong)
            for problem in [
                Self.tooLong, "The hook stops this.", "This value already exists.", "has the same value.",
            ] {
                #expect(page.body.contains(problem), "\(problem)")
            }
            let path = try await upload("code\n   FIRST   \n   SECND   \n", by: browser)
            #expect(try await browser.get(path).body.contains("2 hives will be added."))
            let form = TestForm(["csrf": try await browser.csrfToken(), "column.0": "code", "do": "import"])
            #expect(try await browser.post(path, form).status == 303)
            try await eventually("the import ends") { try await browser.get(path).header("Refresh") == nil }
            #expect(try await Set(hives.fetchAll().map(\.code)) == ["taken", "first", "secnd"])
        }
    }

    /// Uploads a file and returns the address of its preview.
    private func upload(_ text: String, by browser: TestBrowser) async throws -> String {
        let boundary = "----import", token = try await browser.csrfToken()
        let part = "--\(boundary)\r\nContent-Disposition: form-data; name="
        let answer = try await browser.send(
            "POST", "/admin/hives/import", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
            body: part + "\"csrf\"\r\n\r\n\(token)\r\n" + part
                + "\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n\(text)\r\n--\(boundary)--\r\n")
        return try #require(answer.location)
    }
}
