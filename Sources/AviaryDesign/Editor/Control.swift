import AviaryLocalization

/// A control to edit a value.
package enum Control: Sendable {
    case text(value: String, maxLength: Int?)
    case multiline(value: String)
    /// A number field. A `step` of "1" requires a whole number; any other step allows decimals.
    case number(value: String, step: String, allowsNegative: Bool = true)
    case url(value: String)
    case date(value: String)
    /// A date and time. The zone is that of the value; nil for UTC.
    case dateTime(value: String, zone: String? = nil)
    case toggle(isOn: Bool)
    case segments(options: [Option], selected: String?)
    /// A selection from a menu. The prompt is a first option with an empty value: “Select a category”.
    case select(options: [Option], selected: String?, prompt: String?)
    /// A field for a secret, which never shows the stored text, not even to its editor. `clearing` is the name of a
    /// checkbox that deletes the stored text.
    case secret(clearing: String?, isClearing: Bool)
    /// The account name of a sign-in. A fixed name is present for the browser's password manager.
    case accountName(value: String, isFixed: Bool = false)
    /// A password field. Its value is never sent back to the browser.
    case password(PasswordKind)
    /// A field for the code of an authenticator app or a recovery code.
    case oneTimeCode
    /// A list of any number of values.
    case entries(MultiValueField)
    /// A choice of one among very many records.
    case picker(RecordPicker)
    /// A file to upload. The control sets the encoding of its form.
    case file(accept: String)
    case fixed(text: String)
}

/// The purpose of a password field, for the browser's password manager.
package enum PasswordKind: Sendable, Hashable {
    case current, new
}

extension Control {
    /// The encoding of a form that contains the control; nil for the default encoding.
    var encoding: String? { if case .file = self { "multipart/form-data" } else { nil } }

    /// Indicates whether the control initially contains text.
    var hasText: Bool {
        switch self {
        case .text(let value, _), .multiline(let value), .number(let value, _, _), .url(let value), .date(let value),
            .dateTime(let value, _), .accountName(let value, _):
            !value.isEmpty
        case .password, .oneTimeCode, .secret, .select, .segments, .toggle, .entries, .picker, .file: false
        case .fixed: true
        }
    }
}

/// An option of a choice.
package struct Option: Sendable {
    package let value: String
    package let label: String

    package init(value: String, label: String) {
        self.value = value
        self.label = label
    }
}

/// Rules by which a script can give early advice on a value. They do not prevent saving; the server validates the
/// value.
package struct ClientValidation: Sendable {
    let advice: String
    /// The maximum length in characters.
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

/// A choice between two versions of a field's text.
package struct Comparison: Sendable {
    package struct Choice: Sendable {
        let value: String
        let title: String
        let text: String
        let isChosen: Bool

        package init(value: String, title: String, text: String, isChosen: Bool) {
            self.value = value
            self.title = title
            self.text = text
            self.isChosen = isChosen
        }
    }

    let name: String
    let question: String
    let choices: [Choice]
    /// The text before both versions.
    let before: String?

    package init(name: String, question: String, choices: [Choice], before: String?) {
        self.name = name
        self.question = question
        self.choices = choices
        self.before = before
    }

    func render(into html: inout HTML, describedBy error: String?) {
        html.element("fieldset", .class("comparison"), .describedBy(error)) { html in
            html.element("legend", text: question)
            for choice in choices {
                html.element("label") { html in
                    html.void(
                        "input", .type("radio"), .name(name), .value(choice.value), .flag("checked", choice.isChosen))
                    html.element("span") { html in
                        html.element("strong", text: choice.title)
                        html.element("span", .class("version"), Attribute("dir", "auto"), text: choice.text)
                    }
                }
            }
            if let before {
                html.element("p", .class("help")) { html in
                    html.text(localized("Original value:"))
                    html.literal(" ")
                    html.element("bdi", text: before)
                }
            }
        }
    }
}
