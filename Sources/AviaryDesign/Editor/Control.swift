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
    /// The name by which one signs in. Where it cannot be changed it is there for the browser's store of passwords.
    case accountName(value: String, isFixed: Bool = false)
    /// Never sent back to the browser.
    case password(PasswordKind)
    /// Of an authenticator app, or a recovery code.
    case oneTimeCode
    /// Any number of values.
    case entries(EntryList)
    /// One of very many records.
    case picker(RecordPicker)
    /// To be sent: the form that it is in says so by its encoding.
    case file(accept: String)
    case fixed(text: String)
}

/// What a browser's store of passwords is told.
package enum PasswordKind: Sendable, Hashable {
    case current, new
}

extension Control {
    /// How a form with it is encoded; nil as any other form.
    var encoding: String? { if case .file = self { "multipart/form-data" } else { nil } }

    /// Whether a text stands in it from the start.
    var hasText: Bool {
        switch self {
        case .text(let value, _), .multiline(let value), .number(let value, _, _), .url(let value), .date(let value),
            .dateTime(let value), .accountName(let value, _):
            !value.isEmpty
        case .password, .oneTimeCode, .secret, .select, .segments, .toggle, .entries, .picker, .file: false
        case .fixed: true
        }
    }
}

/// One of the values to choose from.
package struct Option: Sendable {
    package let value: String
    package let label: String

    package init(value: String, label: String) {
        self.value = value
        self.label = label
    }
}

/// What a script may say of a value before the server does. It keeps nobody from saving.
package struct Courtesy: Sendable {
    let advice: String
    /// In characters.
    let longest: Int?
    let least: String?
    let most: String?
    let pattern: String?

    package init(advice: String, longest: Int? = nil, least: String? = nil, most: String? = nil, pattern: String? = nil)
    {
        self.advice = advice
        self.longest = longest
        self.least = least
        self.most = most
        self.pattern = pattern
    }
}
