import Foundation
import Logging
import Synchronization

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
