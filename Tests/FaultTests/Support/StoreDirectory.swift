import Foundation

/// The data directory of a test, with a ledger and a trace of the runs beside the directory.
final class StoreDirectory: Sendable {
    let path: String
    private let isMounted: Bool

    init() throws {
        path = try Self.create()
        isMounted = false
    }

    /// Creates a directory on a separate file system of the given size, or returns nil if mounting is not permitted.
    init?(bytes: Int) throws {
        path = try Self.create()
        try FileManager.default.createDirectory(atPath: path + "/data", withIntermediateDirectories: true)
        isMounted = mount("tmpfs", path + "/data", "tmpfs", 0, "size=\(bytes)") == 0
        if !isMounted { return nil }
    }

    deinit {
        if isMounted { umount2(path + "/data", Int32(MNT_DETACH)) }
        try? FileManager.default.removeItem(atPath: path)  // The system also removes leftovers.
    }

    private static func create() throws -> String {
        let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "aviary-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    var data: String { path + "/data" }
    var store: String { data + "/store.sqlite" }
    var ledgerPath: String { path + "/ledger" }
    var tracePath: String { path + "/trace" }
    var errorsPath: String { path + "/errors" }
    var spacePath: String { path + "/space" }

    func ledger() throws -> LedgerText { LedgerText(try Data(contentsOf: URL(filePath: ledgerPath))) }
    func trace() throws -> Trace { try Trace(path: tracePath) }
    /// The text that the drivers wrote to standard error.
    var errors: String {
        // The text only explains why a test failed.
        (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? ""
    }

    /// The current length of the ledger.
    var ledgerSize: Int {
        var status = stat()
        return stat(ledgerPath, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Limits the total size of the store's files from now on.
    func setSpace(_ bytes: Int) throws {
        try Data(String(bytes).utf8).write(to: URL(filePath: spacePath), options: .atomic)
    }

    /// Returns the violations of the store in its current state.
    func violations() throws -> [String] {
        try StoreInvariantChecker(StoreFile(crashed: store), ledger()).violations()
    }
}
