import AviaryDomain
import Foundation

extension Principal {
    /// Somebody who may do everything.
    /// Somebody who may do only this.
    static func with(_ permissions: Permission...) -> Principal {
        Principal(account: UUID(), name: "kim", role: Role("kim", permissions), epoch: 1)
    }

    static let ada = Principal(account: UUID(), name: "ada", role: .admin, epoch: 1)
}
