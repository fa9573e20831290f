import AviaryDomain
import Foundation
import Logging
import Synchronization

/// A log handler that writes each event to standard error as one line in one call, so that lines of several
/// processes never mix.
struct LineLogHandler: LogHandler {
    let process: ProcessRole
    let format: LogFormat
    /// The name of the logger, which is part of the line; nil for the application's own.
    let source: String?
    var output = LogOutput.standardError
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    /// The names that replace those of libraries.
    private static let names = ["hb.request.id": "request"]

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let given = event.metadata { all.merge(given) { _, new in new } }
        if let error = event.error { all["error"] = .string(error.redactedText) }
        if let source { all["logger"] = .string(source) }
        let line = LogLine(
            time: Date().rfc3339 ?? "-", level: event.level.rawValue, process: process.rawValue, pid: getpid(),
            message: event.message.description,
            metadata: Self.renamed(all).sorted { $0.key < $1.key }
        )
        reportLostLines()
        output.write(line.bytes(format))
    }

    /// Returns the metadata under our names, each once. The access log names its request itself.
    private static func renamed(_ metadata: Logger.Metadata) -> [(key: String, value: LogLine.Value)] {
        metadata.compactMap { key, value in
            guard let name = names[key] else { return (key, Self.value(value)) }
            return metadata[name] == nil ? (name, Self.value(value)) : nil
        }
    }

    private func reportLostLines() {
        let lost = output.takeLost()
        guard lost > 0 else { return }
        let line = LogLine(
            time: Date().rfc3339 ?? "-", level: Logger.Level.warning.rawValue, process: process.rawValue, pid: getpid(),
            message: "lines of the log were lost: nobody took them", metadata: [("lines", .number("\(lost)"))]
        )
        output.write(line.bytes(format), countingFor: lost)
    }

    private static func value(_ value: Logger.MetadataValue) -> LogLine.Value {
        if case .stringConvertible(let value) = value {
            if let number = value as? any BinaryInteger { return .number("\(number)") }
            if let number = value as? Double, number.isFinite { return .number("\(number)") }
        }
        return .text("\(value)")
    }
}

/// An event as it is written. All its texts fit on one line, whatever they contain.
struct LogLine {
    /// A value in the log. Numbers stay numbers if the format has them.
    enum Value: Hashable {
        case text(String)
        case number(String)
    }

    /// The number of bytes that a pipe accepts in one piece from several writers (`PIPE_BUF`).
    static let longest = 4096

    let time: String
    let level: String
    let process: String
    let pid: Int32
    let message: String
    let metadata: [(key: String, value: Value)]

    /// Returns the bytes to write, with the end of the line. Long values are cut until the line is short enough.
    func bytes(_ format: LogFormat) -> [UInt8] {
        var limit = 1024
        while true {
            let line =
                switch format {
                case .text: text(limit)
                case .json: json(limit)
                }
            if line.utf8.count < Self.longest || limit < 4 { return Array(line.utf8.prefix(Self.longest - 1)) + [0x0A] }
            limit /= 2
        }
    }

    private func text(_ limit: Int) -> String {
        let values = metadata.map { key, value in " \(Self.key(key))=\(Self.value(value, limit))" }
        return "\(time) \(level) \(process)[\(pid)]: \(LogText.escaped(LogText.cut(message, limit)))" + values.joined()
    }

    private static func key(_ key: String) -> String {
        LogText.escaped(key.replacing(/[ ="]/, with: "_"))
    }

    private static func value(_ value: Value, _ limit: Int) -> String {
        switch value {
        case .number(let number): return number
        case .text(let text):
            let shown = LogText.escaped(LogText.cut(text, limit))
            guard shown.isEmpty || shown.unicodeScalars.contains(where: { $0 == " " || $0 == "=" || $0 == "\"" }) else {
                return shown
            }
            return "\"" + LogText.quoted(shown) + "\""
        }
    }

    private func json(_ limit: Int) -> String {
        func string(_ text: String) -> String { LogText.json(LogText.cut(text, limit)) }
        var fields = [
            "\"ts\":\(string(time))", "\"level\":\(string(level))", "\"process\":\(string(process))", "\"pid\":\(pid)",
            "\"msg\":\(string(message))",
        ]
        if !metadata.isEmpty {
            let values = metadata.map { key, value in
                switch value {
                case .number(let number): "\(string(key)):\(number)"
                case .text(let text): "\(string(key)):\(string(text))"
                }
            }
            fields.append("\"metadata\":{\(values.joined(separator: ","))}")
        }
        return "{" + fields.joined(separator: ",") + "}"
    }
}

/// The output of the log. Writing never waits for a reader: a reader that stops must not stop the server.
package final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO)

    private let descriptor: CInt
    private let isSocket: Bool
    private let lost = Atomic(0)

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        // Only a socket has a socket type.
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        isSocket = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
    }

    /// Returns the number of lines that were lost since the last call.
    func takeLost() -> Int {
        lost.load(ordering: .relaxed) == 0 ? 0 : lost.exchange(0, ordering: .relaxed)
    }

    /// Writes the bytes in one piece, so that lines of several processes never mix.
    ///
    /// Bytes that cannot be written at once are lost and counted.
    ///
    /// - Parameter lines: The number of lines that are counted if the bytes are lost.
    @discardableResult
    func write(_ bytes: [UInt8], countingFor lines: Int = 1) -> Bool {
        guard bytes.withUnsafeBytes(writeAll) else {
            lost.add(lines, ordering: .relaxed)
            return false
        }
        return true
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = writeSome(UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isSocket { return send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT)) }
        // If the descriptor could not be reopened, this check keeps the write from blocking.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) > 0 else {
            errno = EAGAIN
            return -1
        }
        return systemWrite(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Reopens a pipe or a terminal as non-blocking, for this process and its children, and so also for the text
    /// that the runtime prints about a trap.
    ///
    /// The mode of the inherited descriptor does not change, because other processes share it.
    package static func reopenStandardErrorNonBlocking() {
        // A reader that disappears must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let flags = fcntl(STDERR_FILENO, F_GETFL)
        // A descriptor with a position is a file, which never blocks. Reopened, it would be written from its
        // beginning.
        guard lseek(STDERR_FILENO, 0, SEEK_CUR) < 0, flags >= 0, flags & O_NONBLOCK == 0 else { return }
        let own = open("/proc/self/fd/\(STDERR_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard own >= 0 else { return }
        dup2(own, STDERR_FILENO)
        close(own)
    }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Functions that make foreign texts safe for a log: no control character moves the cursor, and no line break
/// begins a line.
package enum LogText {
    /// Returns the text cut to the number of bytes, with a mark where text is missing.
    static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            if size > limit { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }

    /// Replaces control characters, line and paragraph separators and invisible marks by their numbers, and
    /// doubles each backslash, so that no other text looks like such a replacement.
    static func escaped(_ text: String) -> String {
        replacing(text) { scalar in
            if scalar == "\\" { return "\\\\" }
            if scalar == "\n" { return "\\n" }
            return isHidden(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : nil
        }
    }

    /// Escapes quotation marks in a text that is already escaped.
    static func quoted(_ text: String) -> String {
        replacing(text) { $0 == "\"" ? "\\\"" : nil }
    }

    /// Returns the text as a JSON string (RFC 8259).
    static func json(_ text: String) -> String {
        "\""
            + replacing(text) { scalar in
                if scalar == "\"" { return "\\\"" }
                if scalar == "\\" { return "\\\\" }
                return number(scalar)
            } + "\""
    }

    /// Escapes hidden characters in encoded JSON. They only occur in its strings.
    package static func escaped(json: String) -> String {
        replacing(json, number)
    }

    /// Returns the scalar's JSON escape, or nil for a visible one.
    private static func number(_ scalar: Unicode.Scalar) -> String? {
        guard isHidden(scalar) else { return nil }
        return UTF16.width(scalar) == 1
            ? unit(UInt16(truncatingIfNeeded: scalar.value))
            : unit(UTF16.leadSurrogate(scalar)) + unit(UTF16.trailSurrogate(scalar))
    }

    private static func unit(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replaced = replacement(scalar) {
                result.append(contentsOf: replaced.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
