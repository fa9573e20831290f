import AviaryDomain
package import Foundation

/// A rotation of the keys.
///
/// It creates a key that replaces the current one, also while servers run, and retires keys that are no longer
/// needed.
///
/// Before a key is removed, everything that outlives a key has been sealed again and is on disk.
package struct KeyRotation {
    package struct Outcome: Sendable, Encodable {
        package let created: String
        package let usedFrom: Date
        /// The number of second factors' secrets that were sealed again.
        package let resealed: Int
        package let retired: [String]
        /// The names of the accounts with a secret that no key here opens. While there are any, no key is removed.
        package let unopened: [String]
    }

    let app: AppDefinition
    let location: StoreLocation

    package init(app: AppDefinition, at location: StoreLocation) {
        self.app = app
        self.location = location
    }

    /// The longest time until every process has seen a new key. Processes look once a second.
    private static let noticing = Duration.seconds(2)

    private var files: KeyFiles { KeyFiles(directory: location.path + "/keys") }

    /// Rotates the keys.
    ///
    /// - Parameter delay: The time in seconds after which the new key begins to be used. Several hosts of one store
    ///   have directories of their own, and an operator copies the key to the others meanwhile. Secrets of second
    ///   factors are then sealed under the key in use, which all hosts have; the next rotation seals them under this
    ///   one.
    /// - Throws: ``KeyRotationError``, `DataDirectoryError`, `StoreError`.
    package func run(at now: Date = Date(), after delay: TimeInterval = 0) async throws -> Outcome {
        try checkStore()
        let newest = try checkedNewest(at: now)
        // Without an older key, this one would be used at once.
        guard delay == 0 || newest != nil else { throw KeyRotationError.noKey }
        // Ids are whole seconds, and the first key may be from this second.
        let time = max(now.addingTimeInterval(delay), newest?.createdAt.addingTimeInterval(1) ?? now)
        let key = try files.create(KeyID(at: time))
        let secrets: Secrets
        do {
            secrets = try await reseal(under: delay > 0 ? try keyInUse(at: now) ?? key : key, noting: key, at: now)
        } catch {
            throw KeyRotationError.notResealed(key: key.id.hexadecimal, reason: "\(error)")
        }
        // A directory that lacks a key may belong to another host. Nothing that it has is removed until somebody has looked.
        let retired = secrets.unopened.isEmpty ? KeySchedule(try files.load().keys.map(\.id)).retired(at: now) : []
        for key in retired { try files.remove(key) }
        return Outcome(
            created: key.id.hexadecimal, usedFrom: key.id.createdAt.addingTimeInterval(KeySchedule.acceptance),
            resealed: secrets.resealed, retired: retired.map(\.hexadecimal), unopened: secrets.unopened
        )
    }

    /// Checks that the store's file fits the program.
    ///
    /// Opening the store as its owner would migrate the file, which is not for a rotation to decide.
    private func checkStore() throws {
        guard try DependencyContainer.migrationReport(of: app, at: location).change == .none else {
            throw KeyRotationError.otherModels
        }
    }

    /// Returns the newest key. Rotations must be apart: of two new keys, neither may be used yet.
    private func checkedNewest(at now: Date) throws -> KeyID? {
        let schedule = KeySchedule(try files.load().keys.map(\.id))
        guard let newest = schedule.keys.last, case .accepted(let time) = schedule.use(of: newest, at: now) else {
            return schedule.keys.last
        }
        throw KeyRotationError.tooSoon(
            key: newest.hexadecimal, usedFrom: time, isFar: time.timeIntervalSince(now) > 60)
    }

    private func keyInUse(at now: Date) throws -> KeyRing.Key? {
        let keys = try files.load().keys
        let id = KeySchedule(keys.map(\.id)).current(at: now)
        return keys.first { $0.id == id }
    }

    /// The second factors' secrets after a rotation.
    private struct Secrets {
        var resealed = 0
        /// The names of the accounts whose secret no key opens, in order.
        var unopened: [String] = []
    }

    private func reseal(under key: KeyRing.Key, noting new: KeyRing.Key, at now: Date) async throws -> Secrets {
        guard try location.hasStore() else { return Secrets() }
        // Every worker must be able to open the secrets that are sealed under the key from the first moment.
        try await Task.sleep(for: Self.noticing)
        let event = AuditEvent(.keysRotated, at: now, account: CommandAuthor.name, subject: new.id.hexadecimal)
        return try await DependencyContainer.attached(to: location, of: app) { container in
            let factor = SealedOneTimePasswords(keys: container.keys)
            let resealed = try await container.accounts.replaceSecrets(noting: event, by: CommandAuthor.name) {
                secret, account in
                try factor.reseal(secret, of: account, under: key)
            }
            let unopened = try await container.accounts.fetchAll().filter { account in
                account.oneTimeSecret.map { factor.secret(in: $0, of: account.id.uuid) == nil } ?? false
            }
            return Secrets(resealed: resealed, unopened: unopened.map(\.name).sorted())
        }
    }
}

/// The reason why keys were not rotated, or only in part.
enum KeyRotationError: Error, Sendable, Hashable, CustomStringConvertible {
    case otherModels
    case noKey
    /// - Parameter isFar: Indicates whether the key was made for a later time, or by a clock that was ahead.
    case tooSoon(key: String, usedFrom: Date, isFar: Bool)
    case notResealed(key: String, reason: String)

    var description: String {
        switch self {
        case .otherModels:
            "The store's file belongs to another version of the program. Run migrate, or start the server, to migrate it. No key was made."
        case .noKey:
            "There is no key yet that could be used until then. The first start of the server creates one. No key was made."
        case .tooSoon(let key, let time, let isFar):
            "The key \(key) is used from \(time.rfc3339 ?? "") on, when every process knows it. Rotate again after that. "
                + "No key was made."
                + (isFar
                    ? " If this time is wrong: a key that was made with --after seals nothing before it, so that its file can "
                        + "be removed on all hosts. Keep a key that was made without: it seals two-factor secrets already."
                    : "")
        case .notResealed(let key, let reason):
            "The key \(key) was made and will be used, but the secrets of second factors could not be sealed anew: \(reason) "
                + "No key was retired, so nothing is lost. Rotate again when the store answers and this key is in use."
        }
    }
}
