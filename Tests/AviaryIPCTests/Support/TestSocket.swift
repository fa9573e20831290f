import AviaryDomain
import AviaryIPC
import Foundation
import Logging
import Synchronization
import TestSupport

/// A directory with a socket on which a server can be started repeatedly.
struct TestSocket: Sendable {
    let directory: String
    var path: String { directory + "/store.sock" }

    static func use(_ body: (TestSocket) async throws -> Void) async throws {
        let socket = TestSocket(
            directory: FileManager.default.temporaryDirectory.path + "/ipc-" + UUID().uuidString.prefix(8))
        try FileManager.default.createDirectory(atPath: socket.directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: socket.directory) }  // The system removes leftovers.
        try await body(socket)
    }

    /// Serves while the body runs, or until the body stops the server.
    func serving(
        _ service: any StoreService, schema: Schema? = nil, versions: ProtocolVersions = .own,
        limits: ServerLimits = .patient,
        logger: Logger = .silent, _ body: (RunningServer) async throws -> Void
    ) async throws {
        let descriptor = try listen()
        let server = StoreServer(
            service: service, schema: try schema ?? .animals(), versions: versions, limits: limits, logger: logger)
        let running = RunningServer(task: Task { try await server.run(on: descriptor) })
        do {
            try await body(running)
        } catch {
            try await running.stop()
            throw error
        }
        try await running.stop()
    }

    /// Returns a client that waits as long as a test does.
    func client(
        as kind: ClientIdentity.Kind = .command, schema: Schema? = nil, versions: ProtocolVersions = .own,
        patience: Duration = Patience.bound, limits: ClientLimits = .patient, logger: Logger = .silent
    ) -> StoreClient {
        StoreClient(
            path: path, as: kind, schema: schema, versions: versions, patience: patience, limits: limits, logger: logger
        )
    }

    struct RunningServer: Sendable {
        let task: Task<Void, any Error>

        /// Stops the server as the end of the process does. Returns when all connections are closed.
        func stop() async throws {
            task.cancel()
            try await task.value
        }
    }

    func listen() throws -> CInt {
        unlink(path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(descriptor, 64) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return descriptor
    }
}

extension ServerLimits {
    /// Limits whose times are as long as a test's.
    static var patient: ServerLimits {
        var limits = ServerLimits()
        limits.handshake = Patience.bound
        limits.transfer = Patience.bound
        limits.drain = Patience.bound
        return limits
    }
}

extension ClientLimits {
    /// Limits whose times are as long as a test's.
    static var patient: ClientLimits {
        var limits = ClientLimits()
        limits.handshake = Patience.bound
        return limits
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Returns a logger that collects its lines.
    static func recording(into lines: LogLines) -> Logger {
        Logger(label: "test") { _ in RecordingHandler(lines: lines) }
    }
}

final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

private struct RecordingHandler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add("\(event.message) \(event.metadata ?? [:])")
    }
}

/// An error that ends a test that cannot continue, because a result is of an unexpected kind.
struct UnexpectedResult: Error {}

extension ChangeSet {
    static func sample(id: UUID = .version7(), text: String = "Okapi") -> ChangeSet {
        ChangeSet(
            id: id, author: "test", changes: [.insert(model: "Animal", id: .version7(), values: ["name": .text(text)])])
    }
}
