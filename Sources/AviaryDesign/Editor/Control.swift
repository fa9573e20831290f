/// What one edits a value with.
package enum Control: Sendable {
    case text(value: String, maxLength: Int?)
    case multiline(value: String)
    /// A whole number when `step` is "1", else a decimal one.
    case number(value: String, step: String, allowsNegative: Bool = true)
    case date(value: String)
    case dateTime(value: String)
    case toggle(isOn: Bool)
    case segments(options: [Option], selected: String?)
    /// The prompt is a first option with an empty value: “Select a category”.
    case select(options: [Option], selected: String?, prompt: String?)
    case fixed(text: String)
}
