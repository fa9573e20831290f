import ArgumentParser
import AviaryDomain
import Foundation

/// The flags that say how long a session lasts.
struct SessionOptions: ParsableArguments {
    static let idleVariable = "AVIARY_SESSION_IDLE"
    static let limitVariable = "AVIARY_SESSION_LIMIT"

    @Option(
        help: ArgumentHelp(
            "The time without a request after which a session ends, from 5m to 7d, such as 30m; 8h by default.",
            valueName: "duration"))
    var sessionIdle: String?

    @Option(
        help: ArgumentHelp(
            "The time after which a session ends in any case, from 5m to 30d, such as 12h; 7d by default.",
            valueName: "duration"))
    var sessionLimit: String?

    func validate() throws { _ = try limits }

    /// The limits by the flags, else by the environment.
    var limits: SessionLimits {
        get throws {
            var limits = SessionLimits()
            let idle = TextSetting(flag: "--session-idle", variable: Self.idleVariable).value(sessionIdle)
            let absolute = TextSetting(flag: "--session-limit", variable: Self.limitVariable).value(sessionLimit)
            if let absolute {
                limits.absolute = try Self.seconds(absolute, upTo: SessionLimits.longest.absolute, words: "30d")
            }
            if let idle {
                limits.idle = try Self.seconds(idle, upTo: SessionLimits.longest.idle, words: "7d")
                guard limits.idle <= limits.absolute else {
                    throw ValidationError(
                        "\(idle.source) is longer than a session lasts in any case. Give at most --session-limit.")
                }
            }
            // A session that ends sooner in any case needs no other time without a request.
            limits.idle = min(limits.idle, limits.absolute)
            return limits
        }
    }

    /// The variables by which a web worker gets the limits. A worker of an earlier version, which a deploy can start, does
    /// not know the flags.
    var environment: [String: String] {
        get throws {
            let limits = try limits
            return [Self.idleVariable: "\(limits.idle)s", Self.limitVariable: "\(limits.absolute)s"]
        }
    }

    /// The limits by the environment alone.
    static var fromEnvironment: SessionLimits {
        get throws { try of([]).limits }
    }

    /// Returns the options of `serve` with these flags.
    static func of(_ flags: [String]) throws -> SessionOptions { try parse(flags) }

    private static func seconds(_ given: TextSetting.Given, upTo longest: TimeInterval, words: String) throws
        -> TimeInterval
    {
        let seconds = try BackupOptions.interval(given)
        guard (SessionLimits.shortest...longest).contains(seconds) else {
            throw ValidationError("\(given.source) takes a duration from 5m to \(words), as 30m, 12h or 1d.")
        }
        return seconds
    }
}
