import AviaryAdmin
import AviaryDomain
import AviaryHTTP
import AviaryIPC
import Foundation

/// The facts about a data directory and the settings with which it is, or will be, served. ``DeploymentCheck``
/// evaluates them.
struct DeploymentEnvironment: Sendable {
    /// A user with an account.
    struct Person: Sendable, Hashable {
        let name: String
        let role: String
        let isDisabled: Bool
        let hasSecondFactor: Bool
    }

    /// A file or a directory that only its owner should be able to access.
    struct PrivateFile: Sendable, Hashable {
        let path: String
        let permissions: Int
        let isOurs: Bool

        var isPrivate: Bool { permissions & 0o077 == 0 }
    }

    let commandName: String
    let dataPath: String
    let now: Date

    /// The address on which the server listens.
    var host = "127.0.0.1"
    var settings = AddressSettings()
    var metricsPort: Int?
    var isSuperuser = false

    var directoryExists = false
    /// The data directory itself, followed by the files in it.
    var files: [PrivateFile] = []
    var hasStore = false
    /// The address of the database; nil if the data directory contains the store.
    var database: DatabaseAddress?
    /// The server of the database; nil without one, and if it does not answer.
    var databaseReport: DatabaseReport?
    /// The flags with which a command has the same store, as a part of a line for a shell.
    var flags: String {
        (database.map { "--database \($0.text.shellQuoted) " } ?? "") + "--data \(dataPath.shellQuoted)"
    }
    /// The reason why the store cannot be opened or read, or nil.
    var storeProblem: String?
    var migration: MigrationReport?
    /// The accounts, or nil if they could not be read. They are empty without a store.
    var people: [Person]?
    /// The roles of the program.
    var roles: [Role] = []
    /// The declarations of roles that limit a role in a way that is easy to overlook.
    var roleWarnings: [RoleWarning] = []
    var keys: [KeyReport] = []
    var keysProblem: String?
    var lastBackup: Date?
    /// The file check of the running store, or nil if no store runs.
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

extension DeploymentEnvironment {
    /// The largest number of files that are checked individually.
    private static let mostFiles = 2000

    /// Collects the facts without changing anything: it creates no directory, takes no lock, and opens the store
    /// only for reading. It works while a server runs.
    init(
        of app: AppDefinition, at location: StoreLocation, host: String, settings: AddressSettings, metricsPort: Int?,
        now: Date = Date()
    ) async {
        let path = location.path
        self.init(commandName: app.commandName, dataPath: path, now: now)
        database = location.database
        self.host = host
        self.settings = settings
        self.metricsPort = metricsPort
        isSuperuser = geteuid() == 0
        roles = app.roles.all
        roleWarnings = app.roles.warnings(in: app.schema)
        directoryExists = FileManager.default.fileExists(atPath: path)
        guard directoryExists || database != nil else {
            people = []
            return
        }
        files = Self.privateFiles(in: path)
        do {
            keys = try KeyReport.all(in: KeyFiles(directory: path + "/keys"), at: now)
        } catch {
            keysProblem = "\(error)"
        }
        lastBackup = DependencyContainer.newestSnapshot(in: path)
        do {
            databaseReport = try await location.inspectDatabase()
            hasStore = try location.hasStore()
        } catch {
            (hasStore, storeProblem) = (true, "\(error)")
            return
        }
        if hasStore { await readStore(of: app, at: location) } else { people = [] }
    }

    private mutating func readStore(of app: AppDefinition, at location: StoreLocation) async {
        do {
            migration = try DependencyContainer.migrationReport(of: app, at: location)
            let connection = try StoreConnection(location, patience: .seconds(1))
            defer { connection.close() }
            do {
                let accounts = Repository<Account>(
                    try connection.records(of: Account.schema), author: CommandAuthor.name)
                people = try await accounts.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)])).map { account in
                    Person(
                        name: account.name, role: account.role, isDisabled: account.isDisabled,
                        hasSecondFactor: account.oneTimeSecret != nil
                    )
                }
                let events = Repository<AuditEvent>(
                    try connection.records(of: AuditEvent.schema), author: CommandAuthor.name)
                lastBackup = [lastBackup, try await Self.lastBackup(in: events)].compactMap { $0 }.max()
            } catch is ModelMismatch {
                // The store is older than the accounts. The required migration is a finding of its own.
            }
        } catch {
            storeProblem = "\(error)"
        }
        // A store that is not running is not a finding.
        fileCheck = try? await StoreClient(path: dataPath + "/store.sock", patience: .seconds(1)).status().fileCheck
    }

    /// Returns the time of the last backup in the events, which include backups that were written elsewhere.
    private static func lastBackup(in events: Repository<AuditEvent>) async throws -> Date? {
        let kind = AuditEvent.Kind.backup
        var descriptor = FetchDescriptor<AuditEvent>(
            predicate: #Predicate { $0.kind == kind }, sortBy: [SortDescriptor(\.time, order: .reverse)]
        )
        descriptor.fetchLimit = 1
        return try await events.fetch(descriptor).first?.time
    }

    private static func privateFiles(in path: String) -> [PrivateFile] {
        let inside = ["", "/keys", "/snapshots"].flatMap { folder in
            names(in: path + folder).map { path + folder + "/" + $0 }
        }
        return ([path] + inside.prefix(mostFiles)).compactMap { path in
            guard let attributes = attributes(of: path),
                let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue,
                // A symbolic link's own permissions have no effect.
                attributes[.type] as? FileAttributeType != .typeSymbolicLink
            else { return nil }
            let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
            return PrivateFile(path: path, permissions: permissions, isOurs: owner == geteuid())
        }
    }

    /// Returns the names in a folder. Other checks report a folder that cannot be read.
    private static func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()  // there may be none
    }

    private static func attributes(of path: String) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: path)  // it may have gone meanwhile
    }
}
