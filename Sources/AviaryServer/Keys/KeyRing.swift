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
