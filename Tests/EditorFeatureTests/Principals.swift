import AviaryDomain
import Foundation

extension Principal {
    /// Somebody who may do everything.
    static let ada = Principal(account: UUID(), name: "ada", role: .admin, epoch: 1)
}
