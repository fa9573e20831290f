import AviaryDomain
import Foundation

extension Principal {
    /// Somebody who may do everything.
    /// Somebody who may do everything but what the permission takes away.
    static func with(_ permission: Permission) -> Principal {
        Principal(
            account: UUID(), name: "kim", role: Role("kim", .allowEverywhere(.view, .add, .edit, .delete), permission),
            epoch: 1)
    }

    static let ada = Principal(account: UUID(), name: "ada", role: .admin, epoch: 1)
}
