import AviaryDomain
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Backup uploads", .server, .serialized)
struct BackupUploadTests {
    private static let boundary = "----test"

    private func folder() throws -> String { try Server.shared.data + "/snapshots" }

    /// Returns all files in the folder, including those that are not named like a snapshot.
    private func files() throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: try folder()).filter {
                !$0.hasPrefix(".job") && !$0.hasSuffix(".proof")
            })
    }

    /// Returns the new files in the folder.
    ///
    /// It waits for the server to remove its files, which happens a moment after the server has reported the
    /// result.
    private func left(beside before: Set<String>) async throws -> Set<String> {
        do {
            try await eventually("nothing is left") { try files() == before }
        } catch is NeverHappened {
            // The test reports the files that are left.
        }
        return try files().symmetricDifference(before)
    }

    private func settled(_ browser: Browser) async throws -> Answer {
        var page = try await browser.get("/admin/backups")
        try await eventually("the work on the backup ends") {
            #expect(page.status == 200)
            if page.header("Refresh").isEmpty { return true }
            page = try await browser.get("/admin/backups")
            return false
        }
        return page
    }

    /// Takes a backup and returns its name and its bytes.
    private func take(_ browser: Browser) async throws -> (name: String, bytes: [UInt8]) {
        let form = Form(["csrf": try await browser.token()])
        #expect(try await browser.post("/admin/backups", form).status == 303)
        let page = try await settled(browser)
        let name = String(try #require(page.body.firstMatch(of: /Created ([A-Za-z0-9.-]+\.jsonl\.gz)/)).1)
        return (name, [UInt8](try Data(contentsOf: URL(filePath: try folder() + "/" + name))))
    }

    private func part(_ name: String, _ value: [UInt8], fileName: String? = nil) -> [UInt8] {
        let file = fileName.map { "; filename=\"\($0)\"\r\nContent-Type: application/gzip" } ?? ""
        return Array("--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8)
            + value + [13, 10]
    }

    private func upload(_ parts: [[UInt8]], by browser: Browser) async throws -> Answer {
        let body = parts.joined() + Array("--\(Self.boundary)--\r\n".utf8)
        return try await browser.send(
            "POST", "/admin/backups/upload",
            headers: ["Content-Type": "multipart/form-data; boundary=\(Self.boundary)"],
            body: ByteBuffer(bytes: Array(body))
        )
    }

    private func upload(_ bytes: [UInt8], by browser: Browser) async throws -> Answer {
        let token = Array(try await browser.token().utf8)
        return try await upload(
            [part("csrf", token), part("file", bytes, fileName: "../../store.sqlite")], by: browser)
    }

    @Test("An uploaded backup is stored unchanged under a name that the server chooses, and is logged")
    func uploaded() async throws {
        let browser = Browser(try .shared)
        let taken = try await take(browser)
        let before = try files()
        #expect(try await upload(taken.bytes, by: browser).location == "/admin/backups")
        let page = try await settled(browser)
        let name = try #require(try files().first { $0.hasSuffix("-uploaded.jsonl.gz") })
        #expect(try await left(beside: before.union([name])) == [])
        #expect(name.contains(try #require(taken.name.firstMatch(of: /[0-9]{8}T[0-9]{6}Z/)).0))
        #expect(page.body.contains("Uploaded and checked \(name)"))
        #expect(page.body.contains(#"href="/admin/backups/\#(name)""#))
        #expect([UInt8](try Data(contentsOf: URL(filePath: try folder() + "/" + name))) == taken.bytes)
        let events = try await AccountBook(.shared).use { try await $0.fetchEvents(size: 10) }.records
        #expect(events.contains { $0.kind == .upload && $0.subject == name && $0.account == "local" })
    }

    @Test("An invalid backup is rejected with the reason and leaves no file")
    func bad() async throws {
        let browser = Browser(try .shared)
        let taken = try await take(browser)
        let before = try files()
        for (bytes, reason) in [
            (Array(taken.bytes.dropLast(9)), "The file is incomplete."),
            (Array("PK not gzip at all".utf8), "This is not a gzip file."),
            ([], "The file is empty."),
            (taken.bytes + taken.bytes, "The backup has unexpected data after its last line."),
        ] {
            #expect(try await upload(bytes, by: browser).status == 303)
            let page = try await settled(browser)
            #expect(
                Markup.unescaped(page.body).contains("File not uploaded: "), "\(reason)")
            #expect(Markup.unescaped(page.body).contains(Markup.unescaped(reason)), "\(reason)")
            #expect(try await left(beside: before) == [], "\(reason)")
        }
    }

    @Test("An upload may be larger than the limit of other request bodies")
    func large() async throws {
        let browser = Browser(try .shared)
        let before = (try? files()) ?? []
        #expect(try await upload([UInt8](repeating: 65, count: 20 << 20), by: browser).status == 303)
        #expect(try await settled(browser).body.contains("This is not a gzip file."))
        #expect(try await left(beside: before) == [])
    }

    @Test("An upload without the token before the file is rejected and leaves no file")
    func forged() async throws {
        let browser = Browser(try .shared)
        let taken = try await take(browser)
        let before = try files()
        let token = Array(try await browser.token().utf8)
        let file = part("file", taken.bytes, fileName: "a.gz")
        #expect(try await upload([file], by: browser).status == 403)
        #expect(try await upload([part("csrf", Array("no".utf8)), file], by: browser).status == 403)
        #expect(try await upload([file, part("csrf", token)], by: browser).status == 403)
        // Nothing is read of an anonymous client's file.
        #expect(try await upload([file, part("csrf", token)], by: Browser(strangerAt: .shared)).status == 303)
        #expect(try await left(beside: before) == [])
    }

    @Test("An interrupted upload is reported and leaves no file")
    func cutOff() async throws {
        let browser = Browser(try .shared)
        let taken = try await take(browser)
        let before = try files()
        let token = Array(try await browser.token().utf8)
        let body = part("csrf", token) + part("file", taken.bytes, fileName: "a.gz")
        let head = [
            "POST /admin/backups/upload HTTP/1.1", "Host: 127.0.0.1:\(try Server.shared.port)",
            try await browser.cookieField,
            "Content-Type: multipart/form-data; boundary=\(Self.boundary)", "Content-Length: \(body.count + 100_000)",
            "Connection: close", "", "",
        ].joined(separator: "\r\n")
        _ = try await RawConnection.send(Array(head.utf8) + body, to: Server.shared.port, thenEnds: true)
        // The client receives its answer before the upload is abandoned.
        try await eventually("the page tells of it") {
            try await settled(browser).body.contains("The upload is incomplete.")
        }
        #expect(try await left(beside: before) == [])
    }

    @Test("An upload with a malformed form is rejected and leaves no file")
    func malformed() async throws {
        let browser = Browser(try .shared)
        let before = (try? files()) ?? []
        let token = Array(try await browser.token().utf8)
        let parts = [part("csrf", token), part("file", [1, 2, 3], fileName: "a.gz"), part("more", [65])]
        #expect(try await upload(parts, by: browser).status == 400)
        #expect(try await left(beside: before) == [])
    }
}
