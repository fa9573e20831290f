import ArgumentParser
import Foundation

/// A number that a flag or the environment gives; the flag wins.
struct NumberSetting {
    let flag: String
    let variable: String
    let range: ClosedRange<Int>

    /// Nil when neither says anything.
    ///
    /// - Throws: `ValidationError` naming what holds something else.
    func value(_ given: Int?) throws -> Int? {
        if let given { return try checked(given, from: flag) }
        guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return nil }
        guard let number = Int(text) else { throw refusal(variable) }
        return try checked(number, from: variable)
    }

    private func checked(_ number: Int, from source: String) throws -> Int {
        guard range.contains(number) else { throw refusal(source) }
        return number
    }

    private func refusal(_ source: String) -> ValidationError {
        ValidationError("\(source) takes a number from \(range.lowerBound) to \(range.upperBound).")
    }
}
