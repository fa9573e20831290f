import AviaryDomain
import Crypto
import Foundation
import Hummingbird

/// Drafts in the editor's own browser: one sealed cookie a draft, nothing on the server.
///
/// The limits are those of a stock nginx in front: a `Cookie` header above about 8.1 KB is refused before it reaches
/// us, so a browser that went over it could never get back.
struct DraftCookies: Sendable {
    /// Name and value of one draft, in bytes.
    static let largestDraft = 3000
    /// All drafts of a browser together, in bytes.
    static let largestTotal = 6000
    static let mostDrafts = 6
    /// Cookies that are forgotten with one answer: a proxy has room for few headers. The next answers take more.
    static let mostForgotten = 12
    private static let codeLength = 10

    let names: CookieNames
    private let sealer: DraftSealer
    private let keys: KeyRing

    init(names: CookieNames, keys: KeyRing, compression: (any DraftCompression)? = nil) {
        self.names = names
        sealer = DraftSealer(keys, compression: compression)
        self.keys = keys
    }

    /// The drafts that the request carries.
    func open(_ request: Request, user: String, at now: Date = Date()) -> DraftShelf {
        var shelf = DraftShelf()
        for (name, value) in request.cookiePairs where isDraftName(name) {
            if let kept = open(value, cookie: name, user: user, at: now) {
                shelf.drafts.append(kept)
            } else if shelf.unreadable.count < Self.mostForgotten {
                shelf.unreadable.append(name)
            }
        }
        // Newest first, as banners show them.
        shelf.drafts.sort { $0.draft.savedAt > $1.draft.savedAt }
        return shelf
    }

    /// One draft as it lies in a cookie; nil for whatever was not sealed for this cookie and this user.
    func open(_ value: String, cookie name: String, user: String, at now: Date = Date()) -> KeptDraft? {
        guard isDraftName(name) else { return nil }
        return sealer.open(value, cookie: name, user: user, at: now).map { draft in
            KeptDraft(cookie: name, draft: draft, size: name.utf8.count + value.utf8.count)
        }
    }

    /// The cookie that keeps the draft.
    ///
    /// - Throws: ``DraftRefusal`` when it is too large or there is no room beside the others.
    func keep(_ draft: Draft, beside shelf: DraftShelf) throws -> Cookie {
        // Keys rotate and go; a draft that goes on keeps the name under which it came.
        let name = shelf.draft(ofSameSubjectAs: draft)?.cookie ?? newName(of: draft)
        let value = try sealer.seal(draft, cookie: name)
        let size = name.utf8.count + value.utf8.count
        guard size <= Self.largestDraft else { throw DraftRefusal.tooLarge(bytes: size) }
        let others = shelf.drafts.filter { $0.cookie != name }
        guard others.count < Self.mostDrafts, others.map(\.size).reduce(size, +) <= Self.largestTotal else {
            throw DraftRefusal.full(drafts: others.count)
        }
        let lifetime = Int(draft.expiresAt.timeIntervalSince(draft.savedAt))
        return Cookie(
            name: name, value: value, maxAge: lifetime, path: "/", secure: names.areSecure, httpOnly: true,
            sameSite: .strict
        )
    }

    /// The cookie that makes the browser forget the draft.
    func expire(_ name: String) -> Cookie {
        Cookie(
            name: name, value: "", maxAge: 0, path: "/", secure: names.areSecure, httpOnly: true, sameSite: .strict
        )
    }

    /// The cookies that make the browser forget these drafts, as many as one answer may have, each once.
    func expire(_ names: [String]) -> [Cookie] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.prefix(Self.mostForgotten).map { expire($0) }
    }

    /// One name for each record that is edited, and one for each new record.
    private func newName(of draft: Draft) -> String {
        let subject = draft.isNew ? "new " + draft.id.canonicalText : draft.record.canonicalText
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(draft.user)\n\(draft.model)\n\(subject)".utf8), using: keys.current.derived(for: "draft name")
        )
        return names.draftPrefix + Base64URL.encode([UInt8](code)).prefix(Self.codeLength)
    }

    /// Any page of this host can set cookies of any name: only what we could have named ourselves is looked at, and named
    /// again in an answer.
    func isDraftName(_ name: String) -> Bool {
        guard name.hasPrefix(names.draftPrefix) else { return false }
        let code = name.utf8.dropFirst(names.draftPrefix.utf8.count)
        return code.count == Self.codeLength
            && code.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension Request {
    /// All cookies; a browser sends one header, others may send several.
    var cookiePairs: [(name: String, value: String)] {
        headers[values: .cookie].flatMap { header in
            header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return (pair[..<equals].withoutBlanks, pair[equals...].dropFirst().withoutBlanks)
            }
        }
    }
}

extension Substring.UTF8View {
    /// At its ends. Asked of every request: Foundation's way through characters and NSString was a fortieth of a list page.
    fileprivate var withoutBlanks: String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(rest[...last]))
    }
}

/// Seals drafts so that only this server reads and makes them, each for its cookie's name and its user: under another name or
/// to another user it is worth nothing.
struct DraftSealer: Sendable {
    /// No draft that was kept is longer.
    private static let longestPayload = 64 * 1024

    private let seal: Seal
    private let compression: (any DraftCompression)?

    init(_ keys: KeyRing, compression: (any DraftCompression)? = nil) {
        seal = Seal(purpose: "draft seal", keys: keys)
        self.compression = compression
    }

    func seal(_ draft: Draft, cookie: String) throws -> String {
        let plain = [UInt8](try JSONEncoder().encode(draft))
        let compressed = plain.count <= Self.longestPayload ? compression?.compressed(plain) : nil
        let payload = compressed.flatMap { $0.count < plain.count ? $0 : nil } ?? plain
        return try seal.seal(payload, context: Self.context(cookie: cookie, user: draft.user))
    }

    /// Nil for whatever was not sealed here, for this cookie and this user, or has expired.
    func open(_ text: String, cookie: String, user: String, at now: Date) -> Draft? {
        guard let payload = seal.open(text, context: Self.context(cookie: cookie, user: user)) else { return nil }
        do {
            // JSON begins with a brace, and what is compressed never does.
            guard
                let plain = payload.first == UInt8(ascii: "{")
                    ? payload : compression?.expanded([UInt8](payload), limit: Self.longestPayload).map({ Data($0) })
            else { return nil }
            let draft = try JSONDecoder().decode(Draft.self, from: plain)
            return draft.user == user && draft.expiresAt > now ? draft : nil
        } catch {
            return nil  // of a program with another kind of draft
        }
    }

    /// Neither has a character 0, so no two pairs read the same.
    private static func context(cookie: String, user: String) -> String {
        cookie + "\0" + user
    }
}
