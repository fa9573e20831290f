import AviaryDomain
import Crypto
package import Foundation
import Synchronization

/// The secret keys of a data directory: `keys/ID.key`, 32 random bytes each, readable by the owner alone.
///
/// One key seals and all of them open; ``KeySchedule`` says which. The ring notices keys that are added or removed
/// while the process runs, within a second of the next use. Every purpose has its own key that is derived from
/// these (HKDF, RFC 5869), so that a leak in one part of the program does not help an attacker in another.
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
        /// The directory's signature when it was read; nil when it has to be read again.
        var signature: KeyFiles.Signature?
        var nextLook: ContinuousClock.Instant
        var complaints: Set<String> = []
    }

    private let files: KeyFiles
    private let interval: Duration
    private let now: @Sendable () -> Date
    private let report: @Sendable (DataDirectoryError) -> Void
    private let state: Mutex<State>

    /// Reads the keys, and creates the first one in a new directory.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks at the directory.
    ///   - report: A function that receives an error, once each, for files that are named like keys but hold none.
    ///     Operations that need such a key fail; all others continue.
    /// - Throws: `DataDirectoryError` when there is no readable key.
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
                keys: found.keys, signature: found.damaged.isEmpty ? signature : nil, nextLook: .now + interval,
                complaints: Set(found.damaged.map(files.path))
            ))
        for key in found.damaged { report(files.damage(of: key)) }
    }

    /// The keys that open, oldest first. The array is never empty.
    var keys: [Key] {
        let (keys, problems) = state.withLock { state in
            let problems = look(&state)
            return (state.keys, problems)
        }
        problems.forEach(report)
        return keys
    }

    /// The key that seals.
    var current: Key {
        let keys = keys
        let id = KeySchedule(keys.map(\.id)).current(at: now())
        // A ring is never empty, and the schedule returns one of the keys that it was given.
        return keys.first { $0.id == id } ?? keys[keys.startIndex]
    }

    func key(_ id: some Sequence<UInt8>) -> Key? {
        keys.first { $0.id.bytes.elementsEqual(id) }
    }

    /// Looks at the directory with one `stat` per interval, and reads the files only when it has changed.
    ///
    /// The known keys stay even when the directory has a problem.
    private func look(_ state: inout State) -> [DataDirectoryError] {
        guard .now >= state.nextLook else { return [] }
        state.nextLook = .now + interval
        let signature = files.signature()
        guard signature == nil || signature != state.signature else { return [] }
        var problems: [DataDirectoryError]
        do {
            let found = try files.load()
            problems = found.damaged.map(files.damage)
            // A key whose file is damaged now is still known.
            let kept = state.keys.filter { found.damaged.contains($0.id) }
            let keys = (found.keys.map { key in state.keys.first { $0.id == key.id } ?? key } + kept).sorted {
                $0.id < $1.id
            }
            if !keys.isEmpty { state.keys = keys }
            // A file can become readable without a change of the directory.
            state.signature = found.damaged.isEmpty ? signature : nil
        } catch {
            problems = [error]
        }
        return problems.filter { state.complaints.insert($0.path).inserted }
    }
}

/// A cache of derived keys.
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

/// The identifier of a key: four bytes of Unix time, so that keys sort by age.
///
/// It also precedes the bytes that the key has sealed.
package struct KeyID: Sendable, Hashable, Comparable {
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
        // A sign or capitals would give one key two names.
        guard self.hexadecimal == hexadecimal else { return nil }
    }

    package var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    package var createdAt: Date {
        Date(timeIntervalSince1970: TimeInterval(bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
    }

    package static func < (left: KeyID, right: KeyID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// The use of each key. It depends on the clock alone, so that all processes agree without communication.
///
/// A new key is accepted before it is used, because another worker may not have seen it yet. It stays accepted
/// after its successor is used, until everything that it sealed has expired.
package struct KeySchedule: Sendable {
    package enum Use: Sendable, Hashable {
        /// A key that opens, and seals from the given time.
        case accepted(usedFrom: Date)
        case used
        /// A key that opens. The next rotation after the given time retires it.
        case former(neededUntil: Date)
    }

    /// The time in seconds from a key's creation until it is used. Every process looks for new keys once a second.
    static let acceptance: TimeInterval = 10
    /// The time in seconds from the use of a key's successor until the key is retired.
    ///
    /// It is one day longer than a draft lives.
    static let retirement: TimeInterval = 8 * 86_400

    /// The keys, oldest first.
    package let keys: [KeyID]

    package init(_ keys: [KeyID]) {
        self.keys = keys.sorted()
    }

    /// Returns the youngest key that has been accepted for long enough.
    ///
    /// When there is none (a first key, or a clock that was set back), returns the oldest key, because another
    /// process may not know the others. Returns nil when there are no keys.
    func current(at now: Date) -> KeyID? {
        keys.last { Self.isUsed($0, at: now) } ?? keys.first
    }

    package func use(of key: KeyID, at now: Date) -> Use {
        guard let current = current(at: now), key != current else { return .used }
        guard key < current, let successor = keys.first(where: { $0 > key }) else {
            return .accepted(usedFrom: key.createdAt.addingTimeInterval(Self.acceptance))
        }
        return .former(neededUntil: successor.createdAt.addingTimeInterval(Self.acceptance + Self.retirement))
    }

    /// Returns the keys that are no longer needed.
    func retired(at now: Date) -> [KeyID] {
        keys.filter { key in
            if case .former(let end) = use(of: key, at: now) { end <= now } else { false }
        }
    }

    private static func isUsed(_ key: KeyID, at now: Date) -> Bool {
        key.createdAt.addingTimeInterval(acceptance) <= now
    }
}

/// A seal for bytes that only this server can read and create, for one purpose.
///
/// It uses AES-256-GCM under a key that is derived for the purpose, with a context as additional data. A sealed
/// text is therefore useless for any other purpose or context. The text is base64url of: format version (1 byte),
/// key id (4), nonce (12), ciphertext, tag (16).
struct Seal: Sendable {
    private static let formatVersion: UInt8 = 1
    private static let headerLength = 5

    let purpose: String
    let keys: KeyRing

    /// Seals bytes.
    ///
    /// - Parameters:
    ///   - context: A text that must be the same when the bytes are opened.
    ///   - key: The key; nil for the ring's current one.
    func seal(_ bytes: some DataProtocol, context: String, under key: KeyRing.Key? = nil) throws -> String {
        let key = key ?? keys.current
        let header = [Self.formatVersion] + key.id.bytes
        let box = try AES.GCM.seal(
            bytes, using: key.derived(for: purpose), authenticating: Data(header) + Data(context.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Base64URL.encode(header + [UInt8](combined))
    }

    /// Opens a sealed text. Returns nil for a text that was not sealed here for this purpose and context, or whose
    /// key no longer exists.
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

    /// Returns whether the text states that it was sealed under the key.
    static func isSealed(_ text: String, under key: KeyID) -> Bool {
        Base64URL.decode(text).flatMap(keyID)?.elementsEqual(key.bytes) == true
    }

    private static func keyID(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        bytes.count > headerLength && bytes[0] == formatVersion ? bytes[1..<headerLength] : nil
    }
}
