import AviaryDomain
import Crypto
import Foundation
import Hummingbird

/// The storage of drafts in the user's own browser: one sealed cookie per draft, and nothing on the server.
///
/// The limits follow nginx's defaults. A proxy with these rejects a `Cookie` header above about 8.1 KB before it
/// reaches the server, and a browser that exceeded the limit could never recover.
struct DraftCookies: Sendable {
    /// The largest size of one draft's name and value, in bytes.
    static let largestDraft = 3000
    /// The largest size of all drafts of a browser together, in bytes.
    static let largestTotal = 6000
    static let mostDrafts = 6
    /// The largest number of cookies that one answer removes, because a proxy accepts few headers. The next answers
    /// remove more.
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

    /// Returns the drafts in a request.
    func open(_ request: Request, user: String, at now: Date = Date()) -> BrowserDrafts {
        var browserDrafts = BrowserDrafts()
        for (name, value) in request.cookiePairs where isDraftName(name) {
            if let kept = open(value, cookie: name, user: user, at: now) {
                browserDrafts.drafts.append(kept)
            } else if browserDrafts.unreadable.count < Self.mostForgotten {
                browserDrafts.unreadable.append(name)
            }
        }
        // Banners show the newest draft first.
        browserDrafts.drafts.sort { $0.draft.savedAt > $1.draft.savedAt }
        return browserDrafts
    }

    /// Opens the draft in a cookie, or returns nil if the value was not sealed for this cookie and this user.
    func open(_ value: String, cookie name: String, user: String, at now: Date = Date()) -> StoredDraft? {
        guard isDraftName(name) else { return nil }
        return sealer.open(value, cookie: name, user: user, at: now).map { draft in
            StoredDraft(cookie: name, draft: draft, size: name.utf8.count + value.utf8.count)
        }
    }

    /// Returns the cookie that stores the draft.
    ///
    /// - Throws: ``DraftError`` if the draft is too large or there is no room beside the others.
    func keep(_ draft: Draft, beside browserDrafts: BrowserDrafts) throws -> Cookie {
        // Keys are rotated and removed. A continued draft keeps the name of its cookie.
        let name = browserDrafts.draft(ofSameSubjectAs: draft)?.cookie ?? newName(of: draft)
        let value = try sealer.seal(draft, cookie: name)
        let size = name.utf8.count + value.utf8.count
        guard size <= Self.largestDraft else { throw DraftError.tooLarge(bytes: size) }
        let others = browserDrafts.drafts.filter { $0.cookie != name }
        guard others.count < Self.mostDrafts, others.map(\.size).reduce(size, +) <= Self.largestTotal else {
            throw DraftError.full(drafts: others.count)
        }
        let lifetime = Int(draft.expiresAt.timeIntervalSince(draft.savedAt))
        return Cookie(
            name: name, value: value, maxAge: lifetime, path: "/", secure: names.areSecure, httpOnly: true,
            sameSite: .strict
        )
    }

    /// Returns the cookie that removes a draft from the browser.
    func expire(_ name: String) -> Cookie {
        Cookie(
            name: name, value: "", maxAge: 0, path: "/", secure: names.areSecure, httpOnly: true, sameSite: .strict
        )
    }

    /// Returns the cookies that remove drafts from the browser, without duplicates and up to the limit of one
    /// answer.
    func expire(_ names: [String]) -> [Cookie] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.prefix(Self.mostForgotten).map { expire($0) }
    }

    /// Returns a cookie name for a draft: one name per edited record, and one per new record.
    private func newName(of draft: Draft) -> String {
        let subject = draft.isNew ? "new " + draft.id.canonicalText : draft.record.canonicalText
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(draft.user)\n\(draft.model)\n\(subject)".utf8), using: keys.current.derived(for: "draft name")
        )
        return names.draftPrefix + Base64URL.encode([UInt8](code)).prefix(Self.codeLength)
    }

    /// Returns whether a name could be one of a draft's cookie.
    ///
    /// Any page of this host can set cookies with any name. The server reads, and names in an answer, only cookies
    /// that it could have named itself.
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
    /// The name and value of every cookie. A browser sends one header; other clients may send several.
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
    /// The text without spaces and tabs at its ends.
    ///
    /// Every request needs it. Foundation's function, which works with characters and `NSString`, took 2.5 % of the
    /// time of a request for a list.
    fileprivate var withoutBlanks: String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(rest[...last]))
    }
}

/// The seal for drafts. Only this server can read and create sealed drafts.
///
/// Each draft is sealed for its cookie's name and its user, and cannot be opened with another name or by another
/// user.
struct DraftSealer: Sendable {
    /// The largest plain text of a draft, in bytes. No stored draft is longer.
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

    /// Opens a draft, or returns nil if the text was not sealed by this server for this cookie and user, or has
    /// expired.
    func open(_ text: String, cookie: String, user: String, at now: Date) -> Draft? {
        guard let payload = seal.open(text, context: Self.context(cookie: cookie, user: user)) else { return nil }
        do {
            // JSON begins with a brace, and compressed data never does.
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

    /// Returns the seal's context. Neither part contains a null character, so that two pairs never produce the same
    /// text.
    private static func context(cookie: String, user: String) -> String {
        cookie + "\0" + user
    }
}
