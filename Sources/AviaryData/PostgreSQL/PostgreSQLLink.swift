import CPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// A connection of libpq in pipeline mode: statements are queued, and go to the server together when an answer is needed.
///
/// A statement whose answer nobody needs therefore costs no round trip of its own. Its error ends the exchange in which it
/// is found.
final class PostgreSQLLink {
    /// A command whose result has not been read.
    private struct Pending {
        let operation: String
        let isWanted: Bool
        /// Indicates whether the command is assumed to succeed, so that its error is a collision.
        let isAssumed: Bool
        /// The preparation that the command makes; nil if it is another command.
        let preparation: PostgreSQLPreparation?
    }

    /// The largest number of commands and of bytes that wait for an answer. The server's answers to them fit in the buffers
    /// of a socket, so that neither side waits for the other.
    private static let mostPending = (commands: 256, bytes: 64 << 10)

    /// The times, in seconds or milliseconds, after which a server that does not answer any more is given up.
    private static let timeouts = [
        ("connect_timeout", "5"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "10000"),
    ]

    private var handle: OpaquePointer?
    private var pending: [Pending] = []
    private var pendingBytes = 0
    /// Indicates whether the result of a pending command is wanted.
    private var isResultWanted = false
    /// The error of a queued command that another exchange has found.
    private var failure: EngineError?
    /// The number of rows that commands have changed whose results nobody wanted, since it was set to 0.
    var quietlyChangedRows = 0
    private let warning = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    let bounds = WorkBounds()
    let canceller = Canceller()

    /// Connects to the server.
    ///
    /// - Throws: ``StoreOpenError/database(_:)`` if the server is not suitable, ``EngineError`` if it cannot be reached.
    init(_ address: PostgreSQLAddress) throws {
        warning.initialize(to: false)
        var options = [("dbname", address.text), ("client_encoding", "UTF8"), ("fallback_application_name", "aviary")]
        if let password = try address.password() { options.append(("password", password)) }
        for (name, value) in Self.timeouts where !address.text.contains(name + "=") { options.append((name, value)) }
        let keywords: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.0)) } + [nil]
        let values: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { for text in keywords + values { free(UnsafeMutableRawPointer(mutating: text)) } }
        handle = PQconnectdbParams(keywords, values, 1)
        guard PQstatus(handle) == CONNECTION_OK else {
            let reason = handle.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? "memory ran out"
            close()
            throw PostgreSQLRefusal.error(Self.oneLine(reason), connectingTo: address)
        }
        PQsetNoticeReceiver(
            handle,
            { context, result in
                // The severity that is the same in every language.
                let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V"))).map { String(cString: $0) }
                guard severity == "WARNING" else { return }
                context?.assumingMemoryBound(to: Bool.self).pointee = true
            }, warning)
        canceller.attach(handle)
    }

    deinit {
        close()
        warning.deallocate()
    }

    private static func oneLine(_ message: String) -> String {
        message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }

    var isOpen: Bool { PQstatus(handle) == CONNECTION_OK }
    /// Indicates whether the connection is open as far as this side knows, which finds out at once when a server ends.
    var isAlive: Bool {
        guard isOpen else { return false }
        #if os(Linux)
            var socket = pollfd(fd: PQsocket(handle), events: 0x2000 /* POLLRDHUP */, revents: 0)
            return poll(&socket, 1, 0) == 0
        #else
            return true
        #endif
    }
    var hasFailedTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }
    var serverVersion: Int { Int(PQserverVersion(handle)) }
    var encoding: String { PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "" }

    func close() {
        canceller.detach()
        PQfinish(handle)
        handle = nil
        pending = []
    }

    /// Runs a script of statements without parameters, before the connection is used for anything else.
    ///
    /// - Returns: The first value of the last statement, as a text; nil if it has none.
    func start(_ script: String) throws(EngineError) -> String? {
        let result = PQexec(handle, script)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw EngineError(result, operation: "start")
        }
        guard PQenterPipelineMode(handle) == 1 else { throw .connectionLost(during: "start") }
        return PQntuples(result) > 0 ? PQgetvalue(result, 0, 0).map { String(cString: $0) } : nil
    }

    /// Returns the first text of a query without parameters; nil if there is no row.
    func firstText(_ sql: String) throws(EngineError) -> String? {
        try queue(sql, isWanted: true)
        let result = try exchange()
        defer { PQclear(result) }
        return PQntuples(result) > 0 ? PQgetvalue(result, 0, 0).map { String(cString: $0) } : nil
    }

    /// Indicates whether the server's answer to the last command of the last exchange came with a warning.
    var lastAnswerHasWarning: Bool { warning.pointee }
}

extension PostgreSQLLink {
    func queuePreparation(
        _ name: String, _ sql: String, types: [UInt32], of preparation: PostgreSQLPreparation? = nil
    ) throws(EngineError) {
        let sent = PQsendPrepare(handle, name, sql, Int32(types.count), types)
        try noted(sent, sql, bytes: sql.utf8.count, isAssumed: preparation?.isAssumed == true, preparation)
    }

    func queueDescription(of name: String, _ sql: String, isWanted: Bool) throws(EngineError) {
        try noted(PQsendDescribePrepared(handle, name), sql, bytes: 0, isWanted: isWanted)
    }

    func queueExecution(
        _ name: String, _ sql: String, _ parameters: PostgreSQLParameters, isWanted: Bool, isAssumed: Bool = false
    ) throws(EngineError) {
        let sent = parameters.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
        }
        try noted(sent, sql, bytes: parameters.byteCount, isWanted: isWanted, isAssumed: isAssumed)
    }

    /// Queues a statement without parameters that is not prepared.
    func queue(_ sql: String, isWanted: Bool = false) throws(EngineError) {
        try noted(
            PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1), sql, bytes: sql.utf8.count, isWanted: isWanted)
    }

    private func noted(
        _ sent: Int32, _ operation: String, bytes: Int, isWanted: Bool = false, isAssumed: Bool = false,
        _ preparation: PostgreSQLPreparation? = nil
    ) throws(EngineError) {
        guard sent == 1 else { throw .connectionLost(during: operation) }
        pending.append(
            Pending(operation: operation, isWanted: isWanted, isAssumed: isAssumed, preparation: preparation))
        pendingBytes += bytes
        if isWanted { isResultWanted = true }
        // An exchange that makes room discards all results, also that of a wanted command before this one.
        guard !isResultWanted, pending.count >= Self.mostPending.commands || pendingBytes >= Self.mostPending.bytes
        else { return }
        PQclear(try exchange(forcing: true))
    }

    /// Sends all queued commands and reads their results.
    ///
    /// - Parameter forced: Indicates whether the call only makes room. An error is kept for the next exchange then.
    /// - Returns: The result of the last command whose result is wanted, which the caller clears.
    /// - Throws: The first error.
    func exchange(forcing forced: Bool = false) throws(EngineError) -> OpaquePointer? {
        let commands = pending
        pending = []
        pendingBytes = 0
        isResultWanted = false
        guard let last = commands.last else { return try take(nil, forced) }
        guard PQpipelineSync(handle) == 1 else { throw .connectionLost(during: last.operation) }
        var wanted: OpaquePointer?
        for command in commands {
            warning.pointee = false
            while let result = try nextResult(during: command.operation, wanted) {
                switch PQresultStatus(result) {
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                    guard command.isWanted else {
                        quietlyChangedRows += PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
                        PQclear(result)
                        continue
                    }
                    PQclear(wanted)
                    wanted = result
                case PGRES_PIPELINE_ABORTED:
                    command.preparation?.isLost = true
                    PQclear(result)
                default:
                    command.preparation?.isLost = true
                    if failure == nil {
                        let error = EngineError(result, operation: command.operation)
                        failure = command.isAssumed ? error.asCollision : error
                    }
                    PQclear(result)
                    guard isOpen else {
                        PQclear(wanted)
                        failure = nil
                        throw .connectionLost(during: command.operation)
                    }
                }
            }
        }
        PQclear(try nextResult(during: last.operation, wanted))
        return try take(wanted, forced)
    }

    private func take(_ result: OpaquePointer?, _ forced: Bool) throws(EngineError) -> OpaquePointer? {
        guard !forced, let error = failure else { return result }
        failure = nil
        PQclear(result)
        throw error
    }

    /// Sends the queued commands to the server, which begins to work on them.
    func push() {
        // An error is found by the next exchange.
        PQflush(handle)
    }

    /// Sends the queued commands without waiting. Their results are read with those of the next exchange.
    func flush() {
        PQsendFlushRequest(handle)
        PQflush(handle)
    }

    private func nextResult(during operation: String, _ wanted: OpaquePointer?) throws(EngineError) -> OpaquePointer? {
        if bounds.areSet { waitWithinBounds() }
        let result = PQgetResult(handle)
        if result == nil, !isOpen {
            PQclear(wanted)
            throw .connectionLost(during: operation)
        }
        return result
    }

    /// Waits for a result, and cancels the server's work when its time is over.
    private func waitWithinBounds() {
        var nextCancellation: UInt64 = 0
        PQflush(handle)
        while PQisBusy(handle) == 1 {
            let rest = bounds.millisecondsToLook, now = DispatchTime.now().uptimeNanoseconds
            // The server ignores a cancellation that arrives before the command.
            if rest <= 0, now >= nextCancellation {
                canceller.cancel()
                nextCancellation = now + 1_000_000_000
            }
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            poll(&socket, 1, rest <= 0 ? 1000 : Int32(rest))
            guard PQconsumeInput(handle) == 1 else { return }
        }
    }
}

/// The bounds of a connection's work: a time limit and an interruption.
final class WorkBounds {
    /// The longest time, in milliseconds, after which an interruption is noticed.
    private static let pauseBetweenLooks = 10

    private var deadline: UInt64?
    private var cancellationToken: CancellationToken?
    /// Indicates whether the bounds are suspended.
    var isSuspended = false

    var areSet: Bool { deadline != nil && !isSuspended }

    func begin(limit: Duration, cancellationToken: CancellationToken?) {
        let (seconds, attoseconds) = limit.components
        let nanoseconds =
            seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(max(0, attoseconds / 1_000_000_000))
        deadline = DispatchTime.now().uptimeNanoseconds + nanoseconds
        self.cancellationToken = cancellationToken
    }

    func end() {
        deadline = nil
        cancellationToken = nil
    }

    var areOver: Bool { areSet && millisecondsToLook <= 0 }

    /// The time until the bounds are looked at again; 0 or less if the work is over.
    fileprivate var millisecondsToLook: Int {
        guard let deadline else { return Self.pauseBetweenLooks }
        if cancellationToken?.isRequested == true { return 0 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard now < deadline else { return 0 }
        let rest = Int(min((deadline - now + 999_999) / 1_000_000, 60_000))
        return cancellationToken == nil ? rest : min(rest, Self.pauseBetweenLooks)
    }
}

/// A canceller of the work that the server does for a connection, which any thread can call.
final class Canceller: ConnectionInterrupter {
    /// A container for the key of the session.
    ///
    /// It is safe to send: `PQcancel` may be called on any thread while the key exists. The lock is held during the call,
    /// and acquired before the key is freed.
    private struct Key: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let key = Mutex<Key?>(nil)

    func attach(_ handle: OpaquePointer?) {
        let new = PQgetCancel(handle).map(Key.init)
        key.withLock { $0 = new }
    }

    func cancel() {
        key.withLock { key in
            guard let key else { return }
            var message = [CChar](repeating: 0, count: 256)
            // The work ends by itself if the server cannot be told.
            PQcancel(key.pointer, &message, Int32(message.count))
        }
    }

    func interrupt() { cancel() }

    func detach() {
        key.withLock { key in
            if let key { PQfreeCancel(key.pointer) }
            key = nil
        }
    }
}
