import AviaryDomain
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Rejected requests appear in the audit log")
struct RejectionLogTests {
    private struct Noted: Hashable {
        let account: String?
        let subject: String?
        let count: Int
    }

    private let logger = Logger(label: "test")

    @Test("Rejections during a write are combined into one further write with their number")
    func joined() async throws {
        let noted = Mutex<[Noted]>([]), began = Event(), end = Event()
        let log = RejectionLog(slugs: ["animals"], now: { Date(timeIntervalSince1970: 1_800_000_000) }) {
            event, count in
            let isFirst = noted.withLock { noted in
                noted.append(Noted(account: event.account, subject: event.subject, count: count))
                return noted.count == 1
            }
            guard isFirst else { return }
            began.happen()
            _ = await end.happens()
        }
        func refuse() {
            log.note("POST", "/admin/{model}", model: "animals", by: "eve", from: "192.0.2.1", logger: logger)
        }
        refuse()
        #expect(await began.happens())
        for _ in 0..<40 { refuse() }
        end.happen()
        try await eventually("the others are noted") { noted.withLock { $0.count } == 2 }
        let expected = [1, 40].map { Noted(account: "eve", subject: "POST /admin/animals", count: $0) }
        #expect(noted.withLock { $0 } == expected)
    }

    @Test("The number of concurrent writes is bounded, and events contain no unknown model name")
    func bounded() async throws {
        let subjects = Mutex<[String?]>([]), isOver = Mutex(false)
        let log = RejectionLog(slugs: ["animals"], now: { Date(timeIntervalSince1970: 1_800_000_000) }) { event, _ in
            subjects.withLock { $0.append(event.subject) }
            try await eventually("all are looked at") { isOver.withLock { $0 } }
        }
        for number in 0..<RejectionLog.most + 10 {
            log.note(
                "GET", "/admin/{model}", model: "<b>", by: "eve \(number)", from: "192.0.2.1", logger: logger)
        }
        try await eventually("as many as may be are written") { subjects.withLock { $0.count } == RejectionLog.most }
        isOver.withLock { $0 = true }
        #expect(subjects.withLock { Set($0) } == ["GET /admin/{model}"])
    }

    @Test("Rejected requests of one account are counted in one event, and allowed requests are not logged")
    func served() async throws {
        let server = try await Server.start()
        let viewer = Browser(server, as: "viewer", role: "viewer"),
            editor = Browser(server, as: "editor", role: "editor")
        for _ in 0..<5 { #expect(try await viewer.get("/admin/animals/new").status == 403) }
        #expect(try await viewer.get("/admin/backups").status == 403)
        #expect(try await viewer.get("/admin/nothing").status == 404)
        #expect(try await editor.get("/admin/animals/new").status == 200)
        func refused(_ name: String) async throws -> [String: Int] {
            let events = try await AccountBook(server).use { try await $0.fetchEvents(of: name, size: 50) }.records
            return events.filter { $0.kind == .refused }.reduce(into: [:]) { counts, event in
                counts[event.subject ?? "", default: 0] += event.count ?? 1
            }
        }
        try await eventually("all are noted") {
            try await refused("viewer") == ["GET /admin/animals/new": 5, "GET /admin/backups": 1]
        }
        #expect(try await refused("editor").isEmpty)
        await server.kill()
    }
}
