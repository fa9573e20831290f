import AviaryData
import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Backup pages", .server, .serialized)
struct BackupPagesTests {
    private static let password = "tapir umbrella quartz"

    private func admin() async throws -> Browser {
        let name = Unique.name("b")
        try await AccountBook(.shared).add(name, password: Self.password, role: .admin)
        return Browser(try .shared, as: name)
    }

    private func post(_ browser: Browser, _ path: String, _ fields: KeyValuePairs<String, String> = [:]) async throws
        -> Answer
    {
        var form = Form(fields)
        form["csrf"] = try await browser.token()
        return try await browser.post(path, form)
    }

    /// Returns the page when no work is in progress any more.
    private func settled(_ browser: Browser, _ path: String = "/admin/backups") async throws -> Answer {
        var page = try await browser.get(path)
        try await eventually("the work on \(path) ends") {
            #expect(page.status == 200)
            if page.header("Refresh").isEmpty { return true }
            page = try await browser.get(path)
            return false
        }
        return page
    }

    /// Takes a backup and returns its name.
    private func take(_ browser: Browser) async throws -> String {
        #expect(try await post(browser, "/admin/backups").location == "/admin/backups")
        let page = try await settled(browser)
        return String(try #require(page.body.firstMatch(of: /Created ([A-Za-z0-9.-]+\.jsonl\.gz)/)).1)
    }

    /// Returns whether an event records the action and who did it.
    private func isAudited(_ kind: AuditEvent.Kind, of name: String) async throws -> Bool {
        let page = try await AccountBook(.shared).use { try await $0.fetchEvents(size: 10) }
        return page.records.contains { event in event.kind == kind && event.subject == name && event.account != nil }
    }

    @Test("A new backup appears in the list and the audit log, and editors see no link to backups")
    func taken() async throws {
        let browser = try await admin()
        let name = try await take(browser)
        let page = try await browser.get("/admin/backups")
        #expect(page.body.contains(#"href="/admin/backups/\#(name)""#))
        #expect(page.body.contains("Manual"))
        #expect(page.body.contains("<h2>Create a backup</h2>"))
        #expect(page.header("Cache-Control") == ["no-store"])
        #expect(try await isAudited(.backup, of: name))
        let overview = try await browser.get("/admin"),
            editors = try await Browser(.shared, as: "some-editor", role: "editor").get("/admin")
        #expect(overview.body.contains(#"href="/admin/backups""#))
        #expect(!editors.body.contains("/admin/backups"))
    }

    @Test("The pages show when a backup passed its restore test")
    func proven() async throws {
        let browser = try await admin()
        let name = try await take(browser)
        let before = try await browser.get("/admin/backups/\(name)")
        #expect(before.body.contains("Not tested"))
        #expect(try await post(browser, "/admin/backups/\(name)/prove").location == "/admin/backups/\(name)")
        let page = try await settled(browser, "/admin/backups/\(name)")
        #expect(page.body.contains("The restore test of"))
        #expect(!page.body.contains("Not tested"))
        #expect(page.body.contains(", as of step "))
        #expect(page.body.contains("<dt>Audit log</dt>") && !page.body.contains("Receipts"))
        let list = try await browser.get("/admin/backups")
        #expect(list.body.contains("backup from "))
    }

    @Test("A download requires the password, delivers the whole file and is logged")
    func downloaded() async throws {
        let browser = try await admin()
        let name = try await take(browser)
        let path = "/admin/backups/\(name)/download", asked = try await browser.get(path)
        #expect(asked.status == 200 && asked.body.contains("Confirm your password"))
        #expect(asked.body.contains("A backup contains all records. Enter your password to continue."))
        #expect(try await !isAudited(.export, of: name), "Nothing has left yet.")
        let question = try Form(of: asked, action: path)
        #expect(try await browser.post(path, question.with("current", "wrong")).status == 422)
        #expect(try await browser.post(path, question.with("current", Self.password)).status == 200)
        let answer = try await browser.get(path)
        let size = try Data(contentsOf: URL(filePath: try Server.shared.data + "/snapshots/" + name)).count
        #expect(answer.status == 200)
        #expect(answer.header("Content-Length") == ["\(size)"])
        #expect(answer.header("Content-Disposition") == [#"attachment; filename="\#(name)""#])
        #expect(answer.header("Cache-Control") == ["no-store"])
        #expect(try await isAudited(.export, of: name))
    }

    @Test(
        "No name reaches a file other than a backup",
        arguments: [
            "..%2Fstore.sqlite", "..%2F..%2Fetc%2Fpasswd.jsonl.gz", ".job.json", "%2Fetc%2Fpasswd", "a%00.jsonl.gz",
            "x.jsonl.gz",
        ])
    func otherFiles(name: String) async throws {
        let browser = try await admin()
        for path in ["", "/download", "/restore"] {
            #expect(try await browser.get("/admin/backups/\(name)\(path)").status == 404, "\(path)")
        }
    }

    @Test("A restore shows its changes, requires the name and the password, and restores the records")
    func restored() async throws {
        let browser = try await admin()
        let kept = try await browser.addAnimal("Kept")
        let name = try await take(browser)
        let lost = try await browser.addAnimal("Lost")
        // Without an inspection, nothing is restored.
        #expect(
            try await post(browser, "/admin/backups/\(name)/restore", ["name": name, "current": Self.password]).status
                == 422)
        #expect(try await post(browser, "/admin/backups/\(name)/inspect").location == "/admin/backups/\(name)/restore")
        let question = try await settled(browser, "/admin/backups/\(name)/restore")
        #expect(question.body.contains("now, "))
        #expect(question.body.contains(">Created<"))
        #expect(question.body.contains("This backup contains the history. Activity continues from there."))
        #expect(question.body.contains(#"type="password""#))
        #expect(question.source.contains(#"<button class="button danger">Replace all data</button>"#))
        for (fields, problem) in [
            (["name": "other", "current": Self.password], "The name doesn’t match the backup."),
            (["name": name, "current": "wrong"], "Wrong password."),
        ] as [(KeyValuePairs<String, String>, String)] {
            let answer = try await post(browser, "/admin/backups/\(name)/restore", fields)
            #expect(answer.status == 422)
            #expect(Markup.unescaped(answer.body).contains(Markup.unescaped(problem)))
            #expect(!answer.source.contains(Self.password))
        }
        #expect(try await browser.exists("animals", lost))
        let answer = try await post(
            browser, "/admin/backups/\(name)/restore", ["name": name, "current": Self.password])
        #expect(answer.status == 303 && answer.location == "/admin/backups")
        let page = try await settled(browser)
        #expect(page.body.contains("Restored \(name)."))
        #expect(page.body.contains("-before-restore.jsonl.gz"))
        #expect(try await browser.exists("animals", kept))
        #expect(try await !browser.exists("animals", lost))
        #expect(try await isAudited(.restore, of: name))
    }

    @Test("After a restore, the page lists earlier backups that were removed and those that were not")
    func older() async throws {
        let browser = try await admin()
        let name = try await take(browser)
        let path = try URL(filePath: Server.shared.data + "/snapshots/.job.json")
        var job = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        job["task"] = "restore"
        job["removed"] = ["a.jsonl.gz", "b.jsonl.gz"]
        job["notRemoved"] = ["c.jsonl.gz: cannot be written."]
        job["unsaved"] = "The disk is full."
        try JSONSerialization.data(withJSONObject: job).write(to: path)
        let page = try await browser.get("/admin/backups")
        #expect(
            page.body.contains(
                "Restored \(name). Removed data kept by earlier restores: a.jsonl.gz and b.jsonl.gz."))
        #expect(page.body.contains("Couldn’t remove c.jsonl.gz: cannot be written."))
        #expect(
            page.body.contains(
                "The last changes before the restore aren’t in a backup yet. The next backup adds them. The disk is full."
            ))
    }

    @Test("An inspection expires, and the backup must be inspected again")
    func oldPlan() async throws {
        let browser = try await admin()
        let name = try await take(browser)
        _ = try await post(browser, "/admin/backups/\(name)/inspect")
        _ = try await settled(browser, "/admin/backups/\(name)/restore")
        let path = try URL(filePath: Server.shared.data + "/snapshots/.job.json")
        var job = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        let startedAt = try #require(job["startedAt"] as? Double)
        for (age, status) in [(901.0, 422), (0, 303)] {
            job["startedAt"] = startedAt - age
            try JSONSerialization.data(withJSONObject: job).write(to: path)
            #expect(
                try await post(browser, "/admin/backups/\(name)/restore", ["name": name, "current": Self.password])
                    .status == status)
        }
        _ = try await settled(browser)
    }

    @Test("After an interrupted restore, the page says whether the store was restored", arguments: [true, false])
    func interrupted(isRestored: Bool) async throws {
        let browser = try await admin()
        let name = try await take(browser)
        _ = try await post(browser, "/admin/backups/\(name)/inspect")
        _ = try await settled(browser, "/admin/backups/\(name)/restore")
        #expect(
            try await post(browser, "/admin/backups/\(name)/restore", ["name": name, "current": Self.password]).status
                == 303)
        _ = try await settled(browser)
        let path = try URL(filePath: Server.shared.data + "/snapshots/.job.json")
        var job = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        job["state"] = "running"
        job["text"] = nil
        // With the current epoch, the restore has not finished.
        if !isRestored {
            let directory = try DataDirectory(existing: Server.shared.data)
            job["restoreEpoch"] = try ReaderPool(directory: directory, schema: try Schema([])).restoreEpoch()
        }
        try JSONSerialization.data(withJSONObject: job).write(to: path)
        let page = try await settled(browser)
        #expect(
            page.body.contains(
                isRestored
                    ? "but the last steps were interrupted."
                    : "Interrupted. Nothing was changed. Start again."))
    }

    @Test("A damaged backup fails the inspection with the reason and cannot be restored")
    func damaged() async throws {
        let browser = try await admin()
        let name = try await take(browser)
        let path = try Server.shared.data + "/snapshots/" + name
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.dropLast(9).write(to: URL(filePath: path))
        _ = try await post(browser, "/admin/backups/\(name)/inspect")
        let page = try await settled(browser, "/admin/backups/\(name)/restore")
        #expect(page.body.contains("Failed, and nothing was changed: The file is incomplete."))
        #expect(!page.body.contains("Replace all data"))
        #expect(
            try await post(browser, "/admin/backups/\(name)/restore", ["name": name, "current": Self.password]).status
                == 422)
    }
}
