import ArgumentParser
import Foundation

/// A text that a flag or the environment gives; the flag wins.
struct TextSetting {
    let flag: String
    let variable: String

    /// A text and who gave it.
    struct Given {
        let text: String
        let source: String

        /// - Throws: `ValidationError` naming what holds something wrong.
        func checked<Value>(_ parse: (String) throws(AddressError) -> Value) throws -> Value {
            do {
                return try parse(text)
            } catch {
                throw ValidationError("\(source): \(error)")
            }
        }
    }

    /// Nil when neither says anything.
    func value(_ given: String?) -> Given? {
        if let given { return Given(text: given, source: flag) }
        return fromEnvironment.map { Given(text: $0, source: variable) }
    }

    /// In the environment they are separated by commas.
    func values(_ given: [String]) -> [Given] {
        guard given.isEmpty else { return given.map { Given(text: $0, source: flag) } }
        return (fromEnvironment ?? "").split(separator: ",").map { part in
            Given(text: part.trimmingCharacters(in: .whitespaces), source: variable)
        }
    }

    private var fromEnvironment: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}

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
