import Foundation
import Synchronization

/// A proxy between libpq and the server that can lose a connection at a chosen message.
///
/// It understands as much of the protocol as it needs: a message is a byte for its kind, a length and its contents, and only the
/// first one of a connection has no kind.
final class DatabaseProxy: Sendable {
    /// The loss of a connection, which happens once.
    enum Loss: Sendable {
        /// The server does not get the COMMIT, and learns that the connection is lost.
        case beforeCommit
        /// The server does not get the COMMIT, and believes that the connection still exists.
        case beforeCommitUnnoticed
        /// The server commits, and its answer is lost.
        case duringCommit
        /// The answer to the COMMIT arrives, and then the connection is lost.
        case afterCommit
        /// A commit whose answer arrives. It has a warning, as if no replica had confirmed the commit.
        case warning
    }

    private struct State {
        var loss: Loss?
        /// Indicates whether the server is away after the loss.
        var leaves = false
        var isAway = false
        var descriptors: Set<Int32> = []
        var losses = 0
        var exchanges = 0
        var version: String?
    }

    let directory: String
    private let server: String
    private let listener: Int32
    private let state = Mutex(State())

    /// Starts a proxy of the server whose socket is in a directory.
    init(server: String) throws {
        self.server = server
        // The path of a socket is short.
        directory = "/tmp/aviary-proxy-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = Self.withAddress(directory + "/.s.PGSQL.5432") { bind(listener, $0, $1) }
        guard listener >= 0, status == 0, listen(listener, 64) == 0 else { throw UnexpectedResult() }
        let opened = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(opened, nil, nil)
                guard client >= 0 else { return }
                guard let self else { return _ = close(client) }
                self.serve(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The number of losses and warnings that have happened.
    var losses: Int { state.withLock { $0.losses } }

    /// The number of times that a client has waited for answers to its pipelined requests.
    var exchanges: Int { state.withLock { $0.exchanges } }

    /// Lets the next COMMIT have an accident.
    ///
    /// - Parameter leaves: Indicates whether the server is away afterwards.
    func lose(_ loss: Loss, thenLeave leaves: Bool = false) {
        state.withLock { ($0.loss, $0.leaves) = (loss, leaves) }
    }

    /// Ends all connections, and refuses others until the server returns.
    func leave() {
        state.withLock { state in
            state.isAway = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Lets the server say that it has another version.
    func pretend(version: String) { state.withLock { $0.version = version } }

    func comeBack() { state.withLock { $0.isAway = false } }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = Self.withAddress(server + "/.s.PGSQL.5432") { connect(upstream, $0, $1) }
        let isServed = state.withLock { state in
            guard !state.isAway, status == 0 else { return false }
            state.descriptors.formUnion([client, upstream])
            return true
        }
        guard isServed else {
            close(client)
            close(upstream)
            return
        }
        let pair = ConnectionPair(client: client, server: upstream)
        Thread.detachNewThread {
            self.forwardRequests(pair)
            self.end(pair)
        }
        Thread.detachNewThread {
            self.forwardAnswers(pair)
            self.end(pair)
        }
    }

    private func forwardRequests(_ pair: ConnectionPair) {
        guard let start = Message(from: pair.client, hasKind: false), start.write(to: pair.server) else { return }
        while let message = Message(from: pair.client) {
            if message.isSync { state.withLock { $0.exchanges += 1 } }
            if message.isCommit, let loss = takeLoss() {
                switch loss {
                case .beforeCommit: return
                case .beforeCommitUnnoticed:
                    pair.keepsServer.store(true, ordering: .releasing)
                    return
                case .duringCommit, .afterCommit, .warning:
                    pair.loss.withLock { $0 = loss }
                }
            }
            guard message.write(to: pair.server) else { return }
        }
    }

    private func forwardAnswers(_ pair: ConnectionPair) {
        while let message = Message(from: pair.server) {
            let loss = message.endsCommit ? pair.loss.withLock { $0 } : nil
            switch loss {
            case .duringCommit: return
            case .afterCommit:
                pair.loss.withLock { $0 = nil }
                pair.endsAtNextReady.store(true, ordering: .releasing)
            case .warning:
                pair.loss.withLock { $0 = nil }
                guard Message.warning.write(to: pair.client) else { return }
            case .beforeCommit, .beforeCommitUnnoticed, nil: break
            }
            let version = state.withLock { $0.version }
            guard (version.flatMap(message.withVersion) ?? message).write(to: pair.client) else { return }
            if message.kind == UInt8(ascii: "Z"), pair.endsAtNextReady.load(ordering: .acquiring) { return }
        }
    }

    private func takeLoss() -> Loss? {
        state.withLock { state in
            defer { state.loss = nil }
            if state.loss != nil {
                state.losses += 1
                state.isAway = state.leaves
                state.leaves = false
            }
            return state.loss
        }
    }

    /// Ends both sides. The second thread that gets here closes the descriptors.
    private func end(_ pair: ConnectionPair) {
        shutdown(pair.client, Int32(SHUT_RDWR))
        if !pair.keepsServer.load(ordering: .acquiring) { shutdown(pair.server, Int32(SHUT_RDWR)) }
        guard pair.ended.add(1, ordering: .acquiringAndReleasing).newValue == 2 else { return }
        state.withLock { state in
            state.descriptors.subtract([pair.client, pair.server])
            close(pair.client)
            close(pair.server)
        }
    }

    private static func withAddress<T>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The two sides of a connection through the proxy.
private final class ConnectionPair: Sendable {
    let client: Int32
    let server: Int32
    let loss = Mutex<DatabaseProxy.Loss?>(nil)
    /// Indicates whether the server's side stays open after the loss.
    let keepsServer = Atomic<Bool>(false)
    let endsAtNextReady = Atomic<Bool>(false)
    let ended = Atomic<Int>(0)

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }
}

/// A message of the protocol.
private struct Message {
    let kind: UInt8?
    let contents: [UInt8]

    static let warning = Message(
        kind: UInt8(ascii: "N"),
        contents: Array("SWARNING\0VWARNING\0C01000\0Mthe commit might not have been replicated\0\0".utf8))

    private init(kind: UInt8, contents: [UInt8]) {
        self.kind = kind
        self.contents = contents
    }

    init?(from descriptor: Int32, hasKind: Bool = true) {
        guard let head = Self.read(hasKind ? 5 : 4, from: descriptor) else { return nil }
        kind = hasKind ? head[0] : nil
        let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length >= 4, let contents = Self.read(length - 4, from: descriptor) else { return nil }
        self.contents = contents
    }

    /// Indicates whether the message is a request to parse a COMMIT.
    var isCommit: Bool { kind == UInt8(ascii: "P") && contents.starts(with: Array("\0COMMIT\0".utf8)) }
    /// Indicates whether the message ends a series of requests, to which the server answers before the next one.
    var isSync: Bool { kind == UInt8(ascii: "S") }
    /// Indicates whether the message says that a transaction was committed.
    var endsCommit: Bool { kind == UInt8(ascii: "C") && contents == Array("COMMIT\0".utf8) }

    /// Returns the message of the server's version with another one; nil if it is another message.
    func withVersion(_ version: String) -> Message? {
        let name = Array("server_version\0".utf8)
        guard kind == UInt8(ascii: "S"), contents.starts(with: name) else { return nil }
        return Message(kind: UInt8(ascii: "S"), contents: name + Array(version.utf8) + [0])
    }

    func write(to descriptor: Int32) -> Bool {
        var bytes = kind.map { [$0] } ?? []
        withUnsafeBytes(of: UInt32(contents.count + 4).bigEndian) { bytes += $0 }
        bytes += contents
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let part = bytes[received...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard part > 0 else { return nil }
            received += part
        }
        return bytes
    }
}
