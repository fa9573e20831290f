import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Key rotation in a running process")
struct KeyRotationTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

        var now: Date { time.withLock { $0 } }
        func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    private let directory: TestDirectory
    private let clock = Clock()
    private let ring: KeyRing
    private var files: KeyFiles { KeyFiles(directory: directory.path("keys")) }

    init() throws {
        directory = try TestDirectory()
        ring = try KeyRing(directory: directory.path("keys"), interval: .zero, now: { [clock] in clock.now })
    }

    @Test("A new key is accepted immediately, used after ten seconds and removed with its file")
    func noticed() throws {
        let first = ring.current.id
        clock.advance(by: 3600)
        let second = try files.create(KeyID(at: clock.now)).id
        #expect(ring.keys.map(\.id) == [first, second])
        #expect(ring.current.id == first)
        clock.advance(by: 10)
        #expect(ring.current.id == second)
        try files.remove(first)
        #expect(ring.keys.map(\.id) == [second])
    }

    @Test("A key ring checks its directory again after the interval")
    func interval() async throws {
        func ring(_ interval: Duration) throws -> KeyRing {
            try KeyRing(directory: directory.path("keys"), interval: interval, now: { [clock] in clock.now })
        }
        // Two rings are needed: on a busy machine the short interval may be over before the key exists.
        let (patient, prompt) = (try ring(.seconds(600)), try ring(.milliseconds(300)))
        _ = try files.create(KeyID(at: clock.now.addingTimeInterval(1)))
        #expect(patient.keys.count == 1)
        try await eventually("the ring looks again") { prompt.keys.count == 2 }
        #expect(patient.keys.count == 1)
    }

    @Test("A key that is created in the same clock tick as the last check is noticed")
    func sameTick() throws {
        // The ring was created a moment ago, and there is no pause in between.
        for index in 1...50 {
            _ = try files.create(KeyID(at: clock.now.addingTimeInterval(TimeInterval(index))))
            #expect(ring.keys.count == index + 1)
        }
    }

    @Test("A process keeps a key whose file is damaged or deleted with the directory")
    func takenAway() throws {
        let known = ring.current
        try Data("half".utf8).write(to: URL(filePath: files.path(of: known.id)))
        #expect(ring.keys.map(\.id) == [known.id])
        try FileManager.default.removeItem(atPath: files.directory)
        #expect(ring.keys.map(\.id) == [known.id])
        #expect(ring.current.derived(for: "a") == known.derived(for: "a"))
    }

    @Test("A partly written key is loaded when it is complete")
    func half() throws {
        let id = KeyID(at: clock.now.addingTimeInterval(5))
        try Data(count: 7).write(to: URL(filePath: files.path(of: id)))
        #expect(ring.keys.count == 1)
        try Data((0..<32).map { UInt8($0) }).write(to: URL(filePath: files.path(of: id)))
        #expect(ring.keys.map(\.id).last == id)
    }

    @Test("A session's token is valid before, during and after a rotation in every worker")
    func tokens() throws {
        let session = try #require(Session(cookie: Session.begin().cookieValue))
        let other = try KeyRing(directory: directory.path("keys"), interval: .zero, now: { [clock] in clock.now })
        let (tokens, others) = (CSRFTokens(ring), CSRFTokens(other))
        let before = tokens.token(for: session)
        clock.advance(by: 3600)
        _ = try files.create(KeyID(at: clock.now))
        for _ in 0..<3 {
            let token = tokens.token(for: session)
            for token in [before, token] {
                #expect(others.isValid(token, for: session) && tokens.isValid(token, for: session))
            }
            clock.advance(by: 9)
        }
    }

    @Test("A token is invalid when its key was removed")
    func retiredToken() throws {
        let session = try #require(Session(cookie: Session.begin().cookieValue))
        let tokens = CSRFTokens(ring), token = tokens.token(for: session), first = ring.current.id
        clock.advance(by: 3600)
        _ = try files.create(KeyID(at: clock.now))
        try files.remove(first)
        #expect(!tokens.isValid(token, for: session))
    }

    @Test("A draft keeps its cookie's name through two rotations and the removal of its first key")
    func drafts() throws {
        let cookies = DraftCookies(names: CookieNames(port: 8080), keys: ring)
        for version in [nil, Int64(3)] {
            let draft = draft(version: version)
            var cookie = try cookies.keep(draft, beside: BrowserDrafts())
            let name = cookie.name
            for _ in 0..<2 {
                clock.advance(by: 20)
                let former = ring.current.id
                _ = try files.create(KeyID(at: clock.now))
                clock.advance(by: 20)
                let shelf = shelf(of: cookies, cookie)
                #expect(shelf.drafts.map(\.draft) == [draft])
                cookie = try cookies.keep(draft, beside: shelf)
                #expect(cookie.name == name)
                try files.remove(former)
            }
            #expect(shelf(of: cookies, cookie).drafts.map(\.draft) == [draft])
            // The same record in a browser without a draft of it gets another cookie.
            #expect(try cookies.keep(draft, beside: BrowserDrafts()).name != name)
        }
    }

    @Test("A resealed second factor keeps its secret and no longer needs the old key")
    func secrets() throws {
        let factor = SealedOneTimePasswords(keys: ring)
        let account = UUID(), former = ring.current
        let secret = try factor.makeSecret(for: account, in: UUID(), at: clock.now)
        let stored = try factor.stored(secret, of: account), bytes = Base32.decode(secret.base32)
        // A secret of an earlier version is sealed for its account as well.
        let unbound = try factor.reseal(try secret.unbound(keys: ring), of: account, under: former)
        #expect(unbound.flatMap { factor.secret(in: $0, of: account) } == bytes)
        #expect(unbound.flatMap { factor.secret(in: $0, of: UUID()) } == nil)
        clock.advance(by: 3600)
        let newest = try files.create(KeyID(at: clock.now))
        #expect(try factor.reseal(stored, of: account, under: former) == nil)
        let again = try #require(try factor.reseal(stored, of: account, under: newest))
        #expect(try factor.reseal(again, of: account, under: newest) == nil)
        #expect(try factor.reseal("rubbish", of: account, under: newest) == nil)
        try files.remove(former.id)
        #expect(factor.secret(in: again, of: account) == bytes)
        #expect(factor.secret(in: stored, of: account) == nil)
    }

    @Test("Concurrent readers see a sorted list of keys during rotations", .timeLimit(.minutes(Patience.minutes)))
    func concurrent() async throws {
        let first = ring.current.id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [ring] in
                    for _ in 0..<300 {
                        let keys = ring.keys.map(\.id)
                        #expect(keys.first == first && keys == keys.sorted())
                        _ = ring.current.derived(for: "a")
                    }
                }
            }
            for index in 1...20 { _ = try files.create(KeyID(at: clock.now.addingTimeInterval(TimeInterval(index)))) }
            try await group.waitForAll()
        }
        #expect(ring.keys.count == 21)
    }

    private func shelf(of cookies: DraftCookies, _ cookie: Cookie) -> BrowserDrafts {
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/",
            headerFields: [.cookie: "\(cookie.name)=\(cookie.value)"]
        )
        return cookies.open(Request(head: head, body: RequestBody(buffer: ByteBuffer())), user: "ada", at: morning)
    }
}
