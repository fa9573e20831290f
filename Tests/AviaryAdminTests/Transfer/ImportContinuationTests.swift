import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Continuing an interrupted import", .server, .serialized)
struct ImportContinuationTests {
    private let mark = Unique.name("c")

    /// Returns the page of an import of three animals, on the lines 2 to 4, whose process has ended.
    ///
    /// - Parameters:
    ///   - continuesByItself: Indicates whether the server continues the import, as it does with each that has an owner.
    ///   - change: A change that sets how far the import had come.
    private func stopped(
        _ browser: Browser, lines: [String] = ["a", "b", "c"], continuesByItself: Bool = false,
        _ change: (inout ImportJob) -> Void
    ) async throws -> String {
        let path = try #require(try await browser.bring("name\n\(mark) before\n").location)
        _ = try await browser.importing(path, Form(["column.0": "name", "do": "import"]))
        let id = String(try #require(path.split(separator: "/").last)), imports = try Server.shared.data + "/imports"
        let folders = try FileManager.default.contentsOfDirectory(atPath: imports).map { imports + "/" + $0 }
        let folder = try #require(folders.first { (try? self.job(in: $0).file) == id })
        // The process that imported the file removes it when it has finished.
        try await eventually("the imported file is removed") {
            !FileManager.default.fileExists(atPath: folder + "/\(id).taken")
        }
        let text = "name\n" + lines.map { ($0.isEmpty ? "\"\"" : "\(mark) \($0)") + "\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: folder + "/\(id).taken"))
        var job = try self.job(in: folder)
        job.state = .running
        job.stored = ImportReport()
        change(&job)
        var fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(job)) as? [String: Any] ?? [:]
        #expect(fields["owner"] != nil)
        if !continuesByItself { fields["owner"] = nil }
        try JSONSerialization.data(withJSONObject: fields).write(to: URL(filePath: folder + "/.job.json"))
        return path
    }

    private func job(in folder: String) throws -> ImportJob {
        try JSONDecoder().decode(ImportJob.self, from: Data(contentsOf: URL(filePath: folder + "/.job.json")))
    }

    private func report(to line: Int, by commits: [Int64] = []) -> ImportReport {
        var report = ImportReport()
        (report.lineCount, report.lastLine, report.commits) = (1, line, commits)
        return report
    }

    private func names(_ browser: Browser) async throws -> [Substring] {
        try await browser.get("/admin/animals/export?q=\(mark)&sort=name").source.split(separator: "\r\n").dropFirst()
            .compactMap { $0.split(separator: ",")[1].split(separator: " ").last }
    }

    private func resume(_ browser: Browser, _ path: String) async throws -> Answer {
        #expect(try await browser.get(path).body.contains(#"name="do" value="continue""#))
        return try await browser.importing(path, Form(["do": "continue"]))
    }

    @Test("A continued import skips the stored lines and stores the rest")
    func behind() async throws {
        let browser = Browser(try .shared, as: "goes-on-\(mark)", role: "editor")
        let path = try await stopped(browser) { $0.stored = report(to: 2, by: [1]) }
        let page = try await browser.get(path)
        #expect(
            page.body.contains("Saved 1 complete batch, up to line 2.")
                && page.body.contains("Nothing is imported twice."))
        #expect(try await resume(browser, path).body.contains("Imported the file"))
        #expect(try await names(browser) == ["b", "before", "c"])
        #expect(
            try await browser.post(path, Form(["do": "continue"]).with("csrf", try await browser.token())).status == 404
        )
    }

    @Test("A server continues an import whose process ended, without a request")
    func byItself() async throws {
        let browser = Browser(try .shared, as: "by-itself-\(mark)", role: "editor")
        let path = try await stopped(browser, continuesByItself: true) { $0.stored = report(to: 2, by: [1]) }
        var page = try await browser.get(path)
        try await eventually("the import ends") {
            #expect(!page.body.contains(#"value="continue""#))
            if page.header("Refresh").isEmpty { return true }
            page = try await browser.get(path)
            return false
        }
        #expect(page.body.contains("Imported the file"))
        #expect(try await names(browser) == ["b", "before", "c"])
    }

    @Test("A continued import skips a batch that was stored without an answer")
    func answered() async throws {
        let browser = Browser(try .shared, as: "answered-\(mark)", role: "editor")
        let form = try await browser.newAnimal("\(mark) b")
        #expect(try await browser.post("/admin/animals", form).status == 303)
        let changeSet = try #require(form["draft"].flatMap(UUID.init))
        let path = try await stopped(browser) { job in
            job.stored = report(to: 2, by: [1])
            job.sent = ImportJob.SentBatch(changeSet: changeSet, report: report(to: 3))
        }
        #expect(try await browser.get(path).body.contains("up to line 3."))
        #expect(try await resume(browser, path).body.contains("Imported the file"))
        #expect(try await names(browser) == ["b", "before", "c"])
    }

    @Test("A continued import resends an unconfirmed batch as the same change set, so a late copy is rejected")
    func unanswered() async throws {
        let browser = Browser(try .shared, as: "unanswered-\(mark)", role: "editor")
        let changeSet = UUID()
        let path = try await stopped(browser) {
            $0.sent = ImportJob.SentBatch(changeSet: changeSet, report: report(to: 3))
        }
        #expect(try await browser.get(path).body.contains("The import was interrupted. Nothing was saved."))
        #expect(try await resume(browser, path).body.contains("Imported the file"))
        #expect(try await names(browser) == ["a", "b", "before", "c"])
        let connection = try StoreConnection(data: try Server.shared.data)
        defer { connection.close() }
        await #expect("the one that was late") {
            _ = try await connection.writer.submit(
                ChangeSet(
                    id: changeSet, author: "late",
                    changes: [
                        .insert(
                            model: "Animal", id: .version7(),
                            values: ["name": .text("late"), "diet": .text("herbivorous")])
                    ]))
        } throws: { error in
            (error as? StoreError)?.code == .alreadySaved
        }
    }

    @Test("A line that is invalid by now is reported, and the import can be continued again")
    func wrong() async throws {
        let browser = Browser(try .shared, as: "wrong-\(mark)", role: "editor")
        let path = try await stopped(browser, lines: ["a", "b", ""]) { $0.stored = report(to: 2, by: [1]) }
        let page = try await resume(browser, path)
        #expect(
            page.body.contains("Stopped after line 2: 1 line has problems (line 4).")
                && page.body.contains("Line 4: name:"))
        #expect(page.body.contains(#"value="continue""#))
        #expect(try await names(browser) == ["before"])
    }

    @Test("After a restore, an import cannot be continued")
    func restored() async throws {
        let browser = Browser(try .shared, as: "restored-\(mark)", role: "editor")
        let path = try await stopped(browser) { job in
            job.stored = report(to: 2, by: [1])
            job.restoreEpoch = "another"
        }
        #expect(try await !browser.get(path).body.contains(#"value="continue""#))
        #expect(
            try await browser.post(path, Form(["do": "continue"]).with("csrf", try await browser.token())).status == 404
        )
        #expect(try await names(browser) == ["before"])
    }
}
