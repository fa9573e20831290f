package import Foundation

/// The account on whose behalf a request acts, with its permissions. Every view model has a principal and checks its
/// permissions before it reads or changes anything.
package struct Principal: Sendable, Hashable {
    package let account: UUID
    /// The account's name, as in the history.
    package let name: String
    package let role: Role
    /// Grows when what was issued to the account before is to be worth nothing: see ``Account/epoch``.
    package let epoch: Int
    /// A Boolean value that indicates whether the account lacks a second factor that its role requires. Such an account
    /// reaches only the page that sets one up.
    package let lacksSecondFactor: Bool

    package init(account: UUID, name: String, role: Role, epoch: Int, lacksSecondFactor: Bool = false) {
        self.account = account
        self.name = name
        self.role = role
        self.epoch = epoch
        self.lacksSecondFactor = lacksSecondFactor
    }

    package func may(_ action: ModelAction, _ model: String) -> Bool { role.allows(action, on: model) }
    package func may(_ task: SiteTask) -> Bool { role.allows(task) }

    /// The owner of the drafts. Drafts outlive a session, but neither the sign-in of another account nor a new
    /// password.
    package var draftOwner: String { "\(account.canonicalText) \(epoch)" }
}
