import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("List export", .server, .serialized)
struct ListExportTests {
    /// Adds three animals with a name that no other test uses.
    private func fill(_ browser: Browser) async throws -> String {
        let mark = Unique.name("=x")
        for name in ["\(mark) b", "\(mark) a", "\(mark) c"] { try await browser.addAnimal(name) }
        return mark
    }

    @Test("The export follows the list's search, filters and order, neutralizes formulas and is logged")
    func csv() async throws {
        let browser = Browser(try .shared)
        let mark = try await fill(browser)
        let answer = try await browser.get(
            "/admin/animals/export?q=%3D\(mark.dropFirst())&filter.diet=herbivorous&sort=-name&format=csv")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == ["text/csv; charset=utf-8; header=present"])
        let name = try #require(answer.header("Content-Disposition").first)
        #expect(name.wholeMatch(of: /attachment; filename="animals-\d{4}-\d\d-\d\d\.csv"/) != nil, "\(name)")
        #expect(answer.header("Cache-Control") == ["no-store"])
        let lines = answer.source.split(separator: "\r\n").map { $0.split(separator: ",")[1] }
        #expect(lines == ["name", "'\(mark) c", "'\(mark) b", "'\(mark) a"])
        let none = try await browser.get("/admin/animals/export?q=%3D\(mark.dropFirst())&filter.diet=carnivorous")
        #expect(none.source.split(separator: "\r\n").count == 1)
        let events = try await AccountBook(.shared).use { try await $0.fetchEvents(size: 5) }.records
        #expect(events.contains { $0.kind == .export && $0.subject == "Animal" && $0.account == "local" })
        // The thread that wrote the file may hold it for a moment.
        let folder = try Server.shared.data + "/snapshots"
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(".working") }
        }
        try await eventually("nothing is left in \(folder)") { try left() == [] }
    }

    @Test("Exports are rate limited for each account, and other accounts are not affected")
    func often() async throws {
        let server = try Server.shared
        let browser = Browser(server, as: "eager")
        #expect(try await browser.get("/admin/animals/export").status == 200)
        try await AccountBook(server).use { accounts in
            var event = AuditEvent(.export, at: Date(), account: "eager", address: "192.0.2.1", subject: "Animal")
            event.count = ExportCoordinator.mostExportsInHour
            try await accounts.note(event)
        }
        let refused = try await browser.get("/admin/animals/export")
        #expect(refused.status == 429 && refused.header("Retry-After") == ["600"])
        #expect(try await Browser(server).get("/admin/animals/export").status == 200)
    }

    @Test("Repeated exports are counted in one event")
    func counted() async throws {
        let server = try Server.shared
        let browser = Browser(server, as: "repeater")
        for _ in 0..<3 { #expect(try await browser.get("/admin/animals/export").status == 200) }
        let events = try await AccountBook(server).use { try await $0.fetchEvents(of: "repeater", size: 10) }.records
        #expect(events.filter { $0.kind == .export }.map(\.count) == [3])
    }

    @Test("A JSON Lines export has one object per line")
    func lines() async throws {
        let browser = Browser(try .shared)
        let mark = try await fill(browser)
        let answer = try await browser.get("/admin/animals/export?q=%3D\(mark.dropFirst())&sort=name&format=jsonl")
        #expect(answer.header("Content-Type") == ["application/jsonl; charset=utf-8"])
        let objects = try answer.source.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(objects.map { $0?["name"] as? String } == ["\(mark) a", "\(mark) b", "\(mark) c"])
    }

    @Test("The list links to its export with the current search, and to the import if permitted")
    func links() async throws {
        let browser = Browser(try .shared)
        let mark = try await fill(browser)
        let page = try await browser.get("/admin/animals?q=%3D\(mark.dropFirst())&sort=-name")
        #expect(
            page.body.contains(#"href="/admin/animals/export?q=%3D\#(mark.dropFirst())&amp;sort=-name&amp;format=csv""#)
        )
        #expect(page.body.contains(#"href="/admin/animals/import""#))
        let viewer = try await Browser(.shared, as: "export-viewer", role: "viewer").get("/admin/animals?q=\(mark)")
        #expect(viewer.body.contains("/admin/animals/export?"))
        #expect(!viewer.body.contains("/admin/animals/import"))
    }

    @Test(
        "An export on a full disk answers 507 and leaves no file, and succeeds once there is room",
        .enabled(if: mayMount, "Mounting a file system needs root.")
    )
    func fullDisk() async throws {
        let directory = try TestDirectory(), folder = directory.path("data/snapshots")
        let server = try await Server.start(in: directory)
        let browser = Browser(server)
        _ = try await fill(browser)
        if !FileManager.default.fileExists(atPath: folder) { #expect(mkdir(folder, 0o700) == 0) }
        try #require(mount("tmpfs", folder, "tmpfs", 0, "size=4k,mode=700") == 0)
        defer { umount2(folder, Int32(MNT_DETACH)) }
        try Data(count: 4096).write(to: URL(filePath: folder + "/ballast"))
        let answer = try await browser.get("/admin/animals/export")
        #expect(answer.status == 507 && answer.header("Content-Disposition").isEmpty)
        #expect(answer.body.contains("The file can’t be saved") && answer.body.contains("Nothing was exported."))
        #expect(answer.body.contains(#"href="/admin/animals""#), "the way back")
        let log = try server.errors()
        #expect(log.contains("an export cannot be written") && log.contains("Free some space"))
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(".working") }
        }
        try await eventually("nothing is left in \(folder)") { try left() == [] }
        let events = try await AccountBook(server).use { try await $0.fetchEvents(size: 5) }.records
        #expect(!events.contains { $0.kind == .export })
        #expect(unlink(folder + "/ballast") == 0)
        #expect(try await browser.get("/admin/animals/export").status == 200)
        await server.kill()
    }

    private static let mayMount: Bool = {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        guard mkdir(path, 0o700) == 0 else { return false }
        defer { rmdir(path) }
        guard mount("tmpfs", path, "tmpfs", 0, "size=4k") == 0 else { return false }
        return umount2(path, Int32(MNT_DETACH)) == 0
    }()

    @Test(
        "An export with an invalid parameter is rejected without a file",
        arguments: [
            ("format=xml", 400), ("sort=nothing", 404), ("filter.nothing=1", 404), ("size=0", 400),
        ])
    func refused(query: String, status: Int) async throws {
        let answer = try await Browser(.shared).get("/admin/animals/export?" + query)
        #expect(answer.status == status)
        #expect(answer.header("Content-Disposition").isEmpty)
    }
}
