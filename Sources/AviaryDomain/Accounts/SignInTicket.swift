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

    /// In seconds: long enough to find one's phone.
    package static let lifetime: TimeInterval = 300
}

/// Gives out tickets that only the browser which got one can use.
package protocol SignInTickets: Sendable {
    func seal(_ ticket: SignInTicket) -> String
    /// Nil for whatever was not sealed here for this browser.
    func open(_ text: String) -> SignInTicket?
}
