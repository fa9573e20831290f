package import Foundation

/// Who asks to be signed in, as far as it can be seen.
package struct Visitor: Sendable, Hashable {
    /// The id of the session that begins when it goes well.
    package let session: UUID
    package let address: String
    package let userAgent: String
    /// By what attempts are counted: of IPv6 the 64 bits that a provider gives to one customer.
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

    /// What a client says of itself may be long, and anything.
    private static func shortened(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200).map(Character.init))
    }
}
