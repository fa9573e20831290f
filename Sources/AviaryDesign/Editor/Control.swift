/// What one edits a value with.
package enum Control: Sendable {
    case text(value: String, maxLength: Int?)
    case multiline(value: String)
    /// A whole number when `step` is "1", else a decimal one.
    case number(value: String, step: String, allowsNegative: Bool = true)
    case url(value: String)
    case date(value: String)
    case dateTime(value: String)
    case toggle(isOn: Bool)
    case segments(options: [Option], selected: String?)
    /// The prompt is a first option with an empty value: “Select a category”.
    case select(options: [Option], selected: String?, prompt: String?)
    /// A text that is never shown, not even to who edits it. With the name of a checkbox that clears what is stored.
    case secret(clearing: String?, isClearing: Bool)
    /// Any number of values.
    case entries(EntryList)
    case fixed(text: String)
}
