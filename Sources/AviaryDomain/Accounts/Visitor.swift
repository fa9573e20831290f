package import Foundation

/// The client that asks to sign in, as far as the server can identify it.
package struct Visitor: Sendable, Hashable {
    /// The id of the session that begins when it goes well.
    package let session: UUID
    package let address: String
    package let userAgent: String
    /// The network by which attempts are counted: for IPv6, the 64 bits that a provider assigns to one customer.
    package let network: String
    /// The session that the same browser is in until now.
    package let old: UUID?

    package init(session: UUID, address: String, userAgent: String, network: String? = nil, replacing old: UUID? = nil)
    {
        self.session = session
        self.address = address
        self.network = network ?? address
        self.old = old
        self.userAgent = Self.shortened(userAgent)
    }

    package func session(of account: Account, at now: Date) -> AccountSession {
        AccountSession(
            id: RecordID(session), account: account.id.uuid, epoch: account.epoch, at: now, address: address,
            userAgent: userAgent
        )
    }

    /// Returns the first 200 characters of the text without control characters, because a client may send anything.
    private static func shortened(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200).map(Character.init))
    }
}
