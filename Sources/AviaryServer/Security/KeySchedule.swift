import Foundation

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
