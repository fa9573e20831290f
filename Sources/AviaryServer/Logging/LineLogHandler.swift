import AviaryDomain
import Foundation
import Logging

/// Writes each event as one line to standard error, by one call: lines of several processes never mix.
struct LineLogHandler: LogHandler {
    let process: ProcessRole
    let format: LogFormat
    /// Named in the line; nil for the application's own.
    let source: String?
    var output = LogOutput.standardError
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    /// Of the libraries' names for things, what ours are.
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
        tellOfLostLines()
        output.write(line.bytes(format))
    }

    /// The metadata under our names, each once: the access log names its request itself.
    private static func renamed(_ metadata: Logger.Metadata) -> [(key: String, value: LogLine.Value)] {
        metadata.compactMap { key, value in
            guard let name = names[key] else { return (key, Self.value(value)) }
            return metadata[name] == nil ? (name, Self.value(value)) : nil
        }
    }

    private func tellOfLostLines() {
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
