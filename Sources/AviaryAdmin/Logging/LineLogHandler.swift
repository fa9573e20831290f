import AviaryDomain
import Foundation
import Logging

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
