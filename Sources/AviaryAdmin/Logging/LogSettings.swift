import ArgumentParser
import Foundation
package import Logging
import Synchronization

/// The settings of the log.
///
/// They are the same in all processes of a server, which inherit them through their environment.
package struct LogSettings: Sendable, Hashable {
    static let formatVariable = "AVIARY_LOG_FORMAT"
    static let levelVariable = "AVIARY_LOG_LEVEL"
    static let accessVariable = "AVIARY_ACCESS_LOG"
    static let eventsVariable = "AVIARY_LOG_EVENTS"

    package var format = LogFormat.text
    package var level = Logger.Level.notice
    /// Indicates whether the log has a line for each request.
    package var hasAccessLog = false
    /// Indicates whether the log has a line for each event of the audit log.
    package var hasEvents = false

    /// Reads the settings from the environment.
    ///
    /// - Throws: `ValidationError` that names the variable with an invalid value.
    package init() throws {
        try self.init(environment: ProcessInfo.processInfo.environment)
    }

    init(environment: [String: String]) throws {
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

    package static func format(_ text: String, from source: String) throws -> LogFormat {
        guard let format = LogFormat(rawValue: text) else {
            throw ValidationError("\(source) is text or json.")
        }
        return format
    }

    package static func level(_ text: String, from source: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError(
                "\(source) is one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return level
    }

    /// The environment that makes a child log as this process does.
    var environment: [String: String] {
        [
            Self.formatVariable: format.rawValue, Self.levelVariable: level.rawValue,
            Self.accessVariable: hasAccessLog ? "1" : "0", Self.eventsVariable: hasEvents ? "1" : "0",
        ]
    }
}

/// The format of a line of the log.
package enum LogFormat: String, Sendable, CaseIterable {
    /// A text for people.
    case text
    /// A JSON object for programs.
    case json
}

/// The role of a process, by which its log lines and metrics name it.
package enum ProcessRole: String, Sendable {
    case supervisor, store, worker
    /// A process that is both store and worker.
    case server
    /// A process of any other command.
    case command
}

extension Logger {
    /// The settings and the application's name.
    private static let decided = Mutex<(settings: LogSettings, application: String)?>(nil)
    private static let hasBegun = Atomic(false)
    /// The id of the current request.
    ///
    /// It also appears in lines that are logged far below it, such as one about a failed read.
    @TaskLocal static var requestID: String?

    /// Configures all loggers of this process.
    ///
    /// Only the first call counts, because swift-log can be configured only once.
    package static func begin(as role: ProcessRole, of application: String, _ settings: LogSettings) {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        decided.withLock { $0 = (settings, application) }
        LoggingSystem.bootstrap { label in
            LineLogHandler(
                process: role, format: settings.format, source: label == application ? nil : label,
                logLevel: settings.level, metadataProvider: .request
            )
        }
    }

    package static func standard(_ app: AppDefinition) -> Logger {
        Logger(label: app.commandName)
    }

    /// The environment that makes a child log as this process does.
    static var childEnvironment: [String: String] { decided.withLock { $0?.settings.environment } ?? [:] }

    /// The log of requests; nil when it was not requested.
    static var access: Logger? {
        guard let application = decided.withLock({ $0?.settings.hasAccessLog == true ? $0?.application : nil }) else {
            return nil
        }
        var logger = Logger(label: application)
        logger.logLevel = .info
        return logger
    }

    /// The log of events; nil when it was not requested.
    static var events: Logger? {
        guard let application = decided.withLock({ $0?.settings.hasEvents == true ? $0?.application : nil }) else {
            return nil
        }
        var logger = Logger(label: application)
        logger.logLevel = .info
        return logger
    }

    /// A logger for libraries that report on their own operation. It logs only warnings and errors.
    var forLibraries: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .warning)
        return logger
    }
}

extension Logger.MetadataProvider {
    /// The id of the current request, if there is one.
    static let request = Logger.MetadataProvider {
        Logger.requestID.map { ["hb.request.id": .string($0)] } ?? [:]
    }
}
