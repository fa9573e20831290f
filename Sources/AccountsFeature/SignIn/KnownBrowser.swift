package import Foundation

/// A browser in which somebody has signed in before.
///
/// Its attempts at this account are counted by themselves. So a stranger who guesses at the name all the time keeps others
/// waiting, and not its owner. It is good for nothing else.
package struct KnownBrowser: Sendable, Hashable, Codable {
    /// In seconds: as long as somebody may be away and still not be taken for a stranger.
    package static let lifetime: TimeInterval = 90 * 24 * 60 * 60

    /// Of the account.
    package let name: String
    /// What its attempts are counted by. Another one after each sign-in.
    package let id: UUID
    package let expiresAt: Date

    package init(name: String, id: UUID = UUID(), at now: Date) {
        self.name = name
        self.id = id
        expiresAt = now.addingTimeInterval(Self.lifetime)
    }
}
