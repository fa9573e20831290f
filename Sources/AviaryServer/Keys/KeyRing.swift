import AviaryDomain
import Crypto
import Foundation
import Synchronization

/// The secret keys of a data directory: `keys/ID.key`, 32 random bytes each, readable by the owner alone.
///
/// One of them seals, all of them open; ``KeySchedule`` says which. Keys that are added or taken away while a process runs
/// are noticed within a second of being needed. Every use has a key of its own, derived from these (HKDF, RFC 5869), so that
/// what one part of the program reveals is worth nothing to another.
final class KeyRing: Sendable {
    struct Key: Sendable, Identifiable {
        let id: KeyID
        private let secret: SymmetricKey
        private let cache = DerivedKeys()

        init(id: KeyID, secret: SymmetricKey) {
            self.id = id
            self.secret = secret
        }

        func derived(for purpose: String) -> SymmetricKey {
            cache.key(for: purpose) {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: secret, info: Data("aviary \(purpose)".utf8), outputByteCount: 32)
            }
        }
    }

    private struct State {
        var keys: [Key]
        /// Of the directory when it was read; nil when it has to be read again.
        var signature: KeyFiles.Signature?
        var nextLook: ContinuousClock.Instant
        var complaints: Set<String> = []
    }

    private let files: KeyFiles
    private let interval: Duration
    private let now: @Sendable () -> Date
    private let report: @Sendable (DataDirectoryError) -> Void
    private let state: Mutex<State>

    /// Reads the keys, and makes the first one in a new directory.
    ///
    /// - Parameters:
    ///   - interval: how long it goes on without a look at the directory.
    ///   - report: is told of files that should be keys and are none, once each. What they are needed for fails, the rest goes on.
    /// - Throws: `DataDirectoryError` when there is no key that could be read.
    init(
        directory: String, interval: Duration = .seconds(1), now: @escaping @Sendable () -> Date = { Date() },
        report: @escaping @Sendable (DataDirectoryError) -> Void = { _ in }
    ) throws(DataDirectoryError) {
        files = KeyFiles(directory: directory)
        self.interval = interval
        self.now = now
        self.report = report
        let (signature, found) = try files.loadOrCreate(at: now())
        if let damaged = found.damaged.first, found.keys.isEmpty { throw files.damage(of: damaged) }
        guard !found.keys.isEmpty else {
            throw DataDirectoryError(
                path: directory, reason: "holds no key.", advice: "Restore the keys from their backup.")
        }
        state = Mutex(
            State(
                keys: found.keys, signature: signature, nextLook: .now + interval,
                complaints: Set(found.damaged.map(files.path))
            ))
        for key in found.damaged { report(files.damage(of: key)) }
    }

    /// Those that open. Oldest first; never empty.
    var keys: [Key] {
        let (keys, problems) = state.withLock { state in
            let problems = look(&state)
            return (state.keys, problems)
        }
        problems.forEach(report)
        return keys
    }

    /// The one that seals.
    var current: Key {
        let keys = keys
        let id = KeySchedule(keys.map(\.id)).current(at: now())
        // A ring is never empty, and the schedule names one of those that it was given.
        return keys.first { $0.id == id } ?? keys[keys.startIndex]
    }

    func key(_ id: some Sequence<UInt8>) -> Key? {
        keys.first { $0.id.bytes.elementsEqual(id) }
    }

    /// One `stat` a second; the files are read only when the directory has changed. Whatever is wrong with it, the keys that
    /// are known stay.
    private func look(_ state: inout State) -> [DataDirectoryError] {
        guard .now >= state.nextLook else { return [] }
        state.nextLook = .now + interval
        let signature = files.signature()
        guard signature == nil || signature != state.signature else { return [] }
        var problems: [DataDirectoryError]
        do {
            let found = try files.load()
            problems = found.damaged.map(files.damage)
            // A key whose file is damaged by now is still known.
            let kept = state.keys.filter { found.damaged.contains($0.id) }
            let keys = (found.keys.map { key in state.keys.first { $0.id == key.id } ?? key } + kept).sorted {
                $0.id < $1.id
            }
            if !keys.isEmpty { state.keys = keys }
            state.signature = signature
        } catch {
            problems = [error]
        }
        return problems.filter { state.complaints.insert($0.path).inserted }
    }
}

/// Keys that were derived already.
private final class DerivedKeys: Sendable {
    private let keys = Mutex<[String: SymmetricKey]>([:])

    func key(for purpose: String, derive: () -> SymmetricKey) -> SymmetricKey {
        keys.withLock { keys in
            if let key = keys[purpose] { return key }
            let key = derive()
            keys[purpose] = key
            return key
        }
    }
}

/// Four bytes of Unix time, so that keys sort by age; also stands in front of what the key has sealed.
struct KeyID: Sendable, Hashable, Comparable {
    let bytes: [UInt8]

    init(seconds: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
    }

    init(at time: Date) {
        self.init(seconds: UInt32(clamping: Int(time.timeIntervalSince1970)))
    }

    init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == 8, let value = UInt32(hexadecimal, radix: 16) else { return nil }
        self.init(seconds: value)
        // A sign, or capitals, would make two names of one key.
        guard self.hexadecimal == hexadecimal else { return nil }
    }

    var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    var createdAt: Date {
        Date(timeIntervalSince1970: TimeInterval(bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
    }

    static func < (left: KeyID, right: KeyID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// What each key does, by the clock alone: so all processes agree without a word.
///
/// A new key is accepted before it is used, because another worker may not have seen it yet; and it is accepted after its
/// successor is used, until all that it sealed has expired.
struct KeySchedule: Sendable {
    enum Use: Sendable, Hashable {
        /// Opens, and seals from then on.
        case accepted(usedFrom: Date)
        case used
        /// Opens; retired by the next rotation from then on.
        case former(neededUntil: Date)
    }

    /// From when it is made until it is used, in seconds. Every process looks for new keys once a second.
    static let acceptance: TimeInterval = 10
    /// From when its successor is used until it is retired, in seconds: a day longer than a draft lives.
    static let retirement: TimeInterval = 8 * 86_400

    /// Oldest first.
    let keys: [KeyID]

    init(_ keys: [KeyID]) {
        self.keys = keys.sorted()
    }

    /// The youngest that has been accepted for long enough. Where there is none (a first key, or a clock that was set back)
    /// it is the oldest: all others may be unknown to somebody. Nil when there are no keys.
    func current(at now: Date) -> KeyID? {
        keys.last { Self.isUsed($0, at: now) } ?? keys.first
    }

    func use(of key: KeyID, at now: Date) -> Use {
        guard let current = current(at: now), key != current else { return .used }
        guard key < current, let successor = keys.first(where: { $0 > key }) else {
            return .accepted(usedFrom: key.createdAt.addingTimeInterval(Self.acceptance))
        }
        return .former(neededUntil: successor.createdAt.addingTimeInterval(Self.acceptance + Self.retirement))
    }

    /// Those that nothing needs any more.
    func retired(at now: Date) -> [KeyID] {
        keys.filter { key in
            if case .former(let end) = use(of: key, at: now) { end <= now } else { false }
        }
    }

    private static func isUsed(_ key: KeyID, at now: Date) -> Bool {
        key.createdAt.addingTimeInterval(acceptance) <= now
    }
}

/// Seals bytes so that only this server reads and makes them, for one purpose: AES-256-GCM under a key that is derived for the
/// purpose, with a context as additional data, so that what is sealed is worth nothing anywhere else.
///
/// A sealed text is base64url of: format version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
struct Seal: Sendable {
    private static let formatVersion: UInt8 = 1
    private static let headerLength = 5

    let purpose: String
    let keys: KeyRing

    /// - Parameters:
    ///   - context: what must be the same when it is opened.
    ///   - key: the ring's current one unless given.
    func seal(_ bytes: some DataProtocol, context: String, under key: KeyRing.Key? = nil) throws -> String {
        let key = key ?? keys.current
        let header = [Self.formatVersion] + key.id.bytes
        let box = try AES.GCM.seal(
            bytes, using: key.derived(for: purpose), authenticating: Data(header) + Data(context.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Base64URL.encode(header + [UInt8](combined))
    }

    /// Nil for whatever was not sealed here, for this purpose and context, or was under a key that is gone.
    func open(_ text: String, context: String) -> Data? {
        guard let bytes = Base64URL.decode(text), let id = Self.keyID(of: bytes), let key = keys.key(id) else {
            return nil
        }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headerLength))
            let header = Data(bytes.prefix(Self.headerLength))
            return try AES.GCM.open(box, using: key.derived(for: purpose), authenticating: header + Data(context.utf8))
        } catch {
            return nil
        }
    }

    /// Whether it says of itself that it was sealed under the key.
    static func isSealed(_ text: String, under key: KeyID) -> Bool {
        Base64URL.decode(text).flatMap(keyID)?.elementsEqual(key.bytes) == true
    }

    private static func keyID(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        bytes.count > headerLength && bytes[0] == formatVersion ? bytes[1..<headerLength] : nil
    }
}
