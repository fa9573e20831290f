import ArgumentParser
import Foundation
import Logging
import Synchronization

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

/// How a line of the log is written.
enum LogFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// One JSON object, for programs.
    case json
}

/// What a process is there for: how its log lines and metrics name it.
enum ProcessRole: String, Sendable {
    case supervisor, store, worker
    /// Store and worker in one.
    case server
    /// Any other command.
    case command
}

extension Logger {
    /// What was decided, and for which application.
    private static let decided = Mutex<(settings: LogSettings, application: String)?>(nil)
    private static let hasBegun = Atomic(false)
    /// Of the request that is being answered: what a part far below it tells, such as a read that failed, names it too.
    @TaskLocal static var requestID: String?

    /// Decides what all loggers of this process write. The first call counts: swift-log takes no second.
    static func begin(as role: ProcessRole, of application: String, _ settings: LogSettings) {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        decided.withLock { $0 = (settings, application) }
        LoggingSystem.bootstrap { label in
            LineLogHandler(
                process: role, format: settings.format, source: label == application ? nil : label,
                logLevel: settings.level, metadataProvider: .request
            )
        }
    }

    /// The environment by which a child's log is like this process's.
    static var childEnvironment: [String: String] { decided.withLock { $0?.settings.environment } ?? [:] }

    /// The log of requests; nil where none was asked for.
    static var access: Logger? {
        guard let application = decided.withLock({ $0?.settings.hasAccessLog == true ? $0?.application : nil }) else {
            return nil
        }
        var logger = Logger(label: application)
        logger.logLevel = .info
        return logger
    }

    /// The log of events; nil where none was asked for.
    static var events: Logger? {
        guard let application = decided.withLock({ $0?.settings.hasEvents == true ? $0?.application : nil }) else {
            return nil
        }
        var logger = Logger(label: application)
        logger.logLevel = .info
        return logger
    }

    /// For libraries that tell of their own workings: only what is wrong.
    var forLibraries: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .warning)
        return logger
    }
}

extension Logger.MetadataProvider {
    /// The id of the request that is being answered, where there is one.
    static let request = Logger.MetadataProvider {
        Logger.requestID.map { ["hb.request.id": .string($0)] } ?? [:]
    }
}
