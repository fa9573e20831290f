import AviaryDomain
import Foundation

/// What is known of a data directory and of how it is, or is to be, served. Plain data: ``DeploymentCheck`` judges it.
struct DeploymentFacts: Sendable {
    /// Somebody who may sign in.
    struct Person: Sendable, Hashable {
        let name: String
        let role: String
        let isDisabled: Bool
        let hasSecondFactor: Bool
    }

    /// A file or a directory that only its owner should see.
    struct PrivateFile: Sendable, Hashable {
        let path: String
        let permissions: Int
        let isOurs: Bool

        var isPrivate: Bool { permissions & 0o077 == 0 }
    }

    let commandName: String
    let dataPath: String
    let now: Date

    /// Where is listened.
    var host = "127.0.0.1"
    var settings = AddressSettings()
    var metricsPort: Int?
    var isSuperuser = false

    var directoryExists = false
    /// The data directory itself first.
    var files: [PrivateFile] = []
    var hasStore = false
    /// Why it cannot be opened or read; nil when it can.
    var storeProblem: String?
    var migration: MigrationReport?
    /// Nil when they could not be read. Without a store there are none.
    var people: [Person]?
    /// The roles of the program.
    var roles: [Role] = []
    var keys: [KeyReport] = []
    var keysProblem: String?
    var lastBackup: Date?
    /// As the running store tells it; nil when none runs.
    var fileCheck: FileCheck?

    init(commandName: String, dataPath: String, now: Date) {
        self.commandName = commandName
        self.dataPath = dataPath
        self.now = now
    }

    var isLoopback: Bool {
        Authority(host.contains(":") ? "[\(host)]" : host)?.isLoopback ?? false
    }
}
