import ArgumentParser
import AviaryHTTP
import Foundation

/// A text from a flag or an environment variable. The flag takes precedence.
struct TextSetting {
    let flag: String
    let variable: String

    /// A text and its source.
    struct Given {
        let text: String
        let source: String

        /// Returns the parsed value.
        ///
        /// - Throws: `ValidationError` that names the source of an invalid text.
        func checked<Value>(_ parse: (String) throws(AddressError) -> Value) throws -> Value {
            do {
                return try parse(text)
            } catch {
                throw ValidationError("\(source): \(error)")
            }
        }
    }

    /// Returns the text, or nil if neither the flag nor the variable is set.
    func value(_ given: String?) -> Given? {
        if let given { return Given(text: given, source: flag) }
        return fromEnvironment.map { Given(text: $0, source: variable) }
    }

    /// Returns the texts of a repeated flag, or else the comma-separated texts of the variable.
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

/// A number from a flag or an environment variable. The flag takes precedence.
struct NumberSetting {
    let flag: String
    let variable: String
    let range: ClosedRange<Int>

    /// Returns the number, or nil if neither the flag nor the variable is set.
    ///
    /// - Throws: `ValidationError` that names the source of an invalid number.
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
