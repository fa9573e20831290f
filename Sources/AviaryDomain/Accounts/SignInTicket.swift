package import Foundation

/// That somebody has given the right password and still has to give a one-time one.
package struct SignInTicket: Sendable, Hashable {
    package let account: UUID
    package let epoch: Int
    package let expiresAt: Date

    package init(account: UUID, epoch: Int, expiresAt: Date) {
        self.account = account
        self.epoch = epoch
        self.expiresAt = expiresAt
    }

    /// The lifetime in seconds: long enough to find one's phone.
    package static let lifetime: TimeInterval = 300
}

/// Gives out tickets that only the browser which got one can use.
package protocol SignInTickets: Sendable {
    func seal(_ ticket: SignInTicket) -> String
    /// Returns the ticket in a sealed text; nil unless it was sealed here for this browser.
    func open(_ text: String) -> SignInTicket?
}
