import ArgumentParser
import Foundation
import Logging

/// What is logged and how: the same in all processes of a server, which inherit it through their environment.
struct LogSettings: Sendable, Hashable {
    static let formatVariable = "AVIARY_LOG_FORMAT"
    static let levelVariable = "AVIARY_LOG_LEVEL"
    static let accessVariable = "AVIARY_ACCESS_LOG"
    static let eventsVariable = "AVIARY_LOG_EVENTS"

    var format = LogFormat.text
    var level = Logger.Level.notice
    /// Whether there is a line for each request.
    var hasAccessLog = false
    /// Whether there is a line for each event of the audit log.
    var hasEvents = false

    /// - Throws: `ValidationError` naming the variable that holds something else.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        func value(_ variable: String) -> String? {
            environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let text = value(Self.formatVariable) { format = try Self.format(text, from: Self.formatVariable) }
        if let text = value(Self.levelVariable) { level = try Self.level(text, from: Self.levelVariable) }
        if let text = value(Self.accessVariable) {
            guard ["0", "1"].contains(text) else { throw ValidationError("\(Self.accessVariable) is 1 or 0.") }
            hasAccessLog = text == "1"
        }
        if let text = value(Self.eventsVariable) {
            guard ["0", "1"].contains(text) else { throw ValidationError("\(Self.eventsVariable) is 1 or 0.") }
            hasEvents = text == "1"
        }
    }

    static func format(_ text: String, from source: String) throws -> LogFormat {
        guard let format = LogFormat(rawValue: text) else {
            throw ValidationError("\(source) is text or json.")
        }
        return format
    }

    static func level(_ text: String, from source: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError(
                "\(source) is one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return level
    }

    /// What makes a child log as this process does.
    var environment: [String: String] {
        [
            Self.formatVariable: format.rawValue, Self.levelVariable: level.rawValue,
            Self.accessVariable: hasAccessLog ? "1" : "0", Self.eventsVariable: hasEvents ? "1" : "0",
        ]
    }
}
