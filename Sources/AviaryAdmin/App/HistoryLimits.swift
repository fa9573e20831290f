import AviaryDomain
import Foundation

/// The bounds of the history that an operator sets instead of those of the application.
///
/// Every process that owns the store follows the environment, so that a command does not remove what the server keeps.
package struct HistoryLimits: Sendable, Hashable {
    package static let ageVariable = "AVIARY_HISTORY_AGE"
    package static let sizeVariable = "AVIARY_HISTORY_SIZE"

    /// The greatest age of an entry; nil for that of the application.
    package let age: Duration?
    /// The approximate greatest size of all entries, in bytes; nil for that of the application.
    package let size: Int?

    /// Parses the bounds.
    ///
    /// - Parameters:
    ///   - age: A duration, such as `90d` or `12h`, from an hour to a hundred years.
    ///   - size: A size, such as `512M` or `4G`, from a mebibyte.
    /// - Throws: ``HistoryLimitError``.
    package init(age: String?, size: String?) throws(HistoryLimitError) {
        self.age = if let age { try Self.age(age) } else { nil }
        self.size = if let size { try Self.size(size) } else { nil }
    }

    /// Returns the bounds of the environment.
    ///
    /// - Throws: ``HistoryLimitError``.
    package static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HistoryLimitError) -> HistoryLimits {
        func text(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return try HistoryLimits(age: text(ageVariable), size: text(sizeVariable))
    }

    /// The variables that pass the bounds to other processes.
    package var environment: [String: String] {
        var variables: [String: String] = [:]
        if let age { variables[Self.ageVariable] = "\(age.components.seconds)s" }
        if let size { variables[Self.sizeVariable] = "\(size)" }
        return variables
    }

    private static func age(_ text: String) throws(HistoryLimitError) -> Duration {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), number > 0,
            case let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: unit), !isTooLarge,
            (3600...3_155_760_000).contains(seconds)
        else { throw HistoryLimitError(what: "The age of the history", example: "a duration from 1h, such as 90d") }
        return .seconds(seconds)
    }

    private static func size(_ text: String) throws(HistoryLimitError) -> Int {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? text[...] : text.dropLast()), number > 0,
            case let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1), !isTooLarge,
            bytes >= 1 << 20
        else { throw HistoryLimitError(what: "The size of the history", example: "a size from 1M, such as 512M or 4G") }
        return bytes
    }
}

/// The error for a bound of the history that cannot be parsed.
package struct HistoryLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    let what: String
    let example: String

    package var description: String { "\(what) is \(example)." }
}
