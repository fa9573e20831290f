/// An HTML form with the fields that a browser would send.
package struct Form: Sendable, Hashable {
    /// The attribute `id` of the form; nil for a form without one.
    package var id: String?
    package var action = ""
    /// Indicates whether the form is sent with POST; false for GET.
    package var isPost = false
    /// The fields that a browser sends, in the order of the page: no buttons, disabled fields and unticked boxes.
    package var fields: [URLEncodedField] = []
    /// The actions of the form's buttons with a `formaction` attribute.
    var otherActions: [String] = []
    /// The values of the form's radio buttons, ticked or not.
    var choices: [URLEncodedField] = []
    /// The name of the first text field. In Aviary's editors it holds the title of the record.
    var textField: String?

    subscript(name: String) -> String? {
        fields.last { $0.name == name }?.value
    }

    func setting(_ name: String, to value: String) -> Form {
        var form = self
        for index in form.fields.indices where form.fields[index].name == name {
            form.fields[index].value = value
        }
        return form
    }

    /// The value of the title field.
    var title: String? { textField.flatMap { self[$0] } }

    func settingTitle(_ title: String) -> Form {
        textField.map { setting($0, to: title) } ?? self
    }
}

/// A reader for the forms of a page.
package struct FormReader {
    private var forms: [Form] = []
    private var isInForm = false
    private var select: Select?
    private var textArea: (name: String, text: String)?
    /// The open fieldsets, each with whether it is disabled.
    private var fieldsets: [Bool] = []

    package static func forms(in body: [UInt8]) -> [Form] {
        var reader = FormReader()
        var markup = MarkupReader(body)
        while let token = markup.next() { reader.take(token) }
        return reader.forms
    }

    private mutating func take(_ token: MarkupReader.Token) {
        switch token {
        case .open(let tag): open(tag)
        case .close("form"): isInForm = false
        case .close("fieldset"): _ = fieldsets.popLast()
        case .close("option"): select?.endOption()
        case .close("select"):
            select?.endOption()
            if let select { for value in select.values { add(select.name, value) } }
            select = nil
        case .close("textarea"):
            if let textArea { add(textArea.name, textArea.text.valueOfTextArea) }
            textArea = nil
        case .text(let text):
            textArea?.text += text
            select?.text += text
        case .close: break
        }
    }

    private mutating func open(_ tag: Tag) {
        switch tag.name {
        case "form":
            let isPost = tag["method"]?.lowercased() == "post"
            forms.append(Form(id: tag["id"], action: tag["action"] ?? "", isPost: isPost))
            isInForm = true
        case "fieldset": fieldsets.append(tag["disabled"] != nil)
        default: if isInForm { field(tag) }
        }
    }

    private mutating func field(_ tag: Tag) {
        let isDisabled = tag["disabled"] != nil || fieldsets.contains(true)
        let name = isDisabled ? nil : tag["name"]
        switch tag.name {
        case "input": if let name { input(tag, name) }
        case "select": select = name.map { Select(name: $0, isMultiple: tag["multiple"] != nil) }
        case "option": select?.begin(tag)
        case "textarea": textArea = name.map { ($0, "") }
        case "button":
            if let action = tag["formaction"] { forms[forms.endIndex - 1].otherActions.append(action) }
        default: break
        }
    }

    private mutating func input(_ tag: Tag, _ name: String) {
        let type = tag["type"] ?? "text"
        switch type {
        case "submit", "button", "image", "reset", "file": return
        case "checkbox", "radio":
            if type == "radio" {
                forms[forms.endIndex - 1].choices.append(URLEncodedField(name: name, value: tag["value"] ?? "on"))
            }
            if tag["checked"] != nil { add(name, tag["value"] ?? "on") }
        default:
            add(name, tag["value"] ?? "")
            let index = forms.endIndex - 1
            if type == "text", forms[index].textField == nil { forms[index].textField = name }
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        guard isInForm else { return }
        forms[forms.endIndex - 1].fields.append(URLEncodedField(name: name, value: value))
    }
}

extension FormReader {
    /// A list of options.
    private struct Select {
        private struct Option {
            var value: String?
            let isSelected: Bool
            let isDisabled: Bool
        }

        let name: String
        let isMultiple: Bool
        /// The text of the option that is read.
        var text = ""
        private var options: [Option] = []
        private var isInOption = false

        init(name: String, isMultiple: Bool) {
            self.name = name
            self.isMultiple = isMultiple
        }

        mutating func begin(_ tag: Tag) {
            endOption()
            options.append(
                Option(value: tag["value"], isSelected: tag["selected"] != nil, isDisabled: tag["disabled"] != nil))
            (text, isInOption) = ("", true)
        }

        /// Takes the text of an option as its value if it has no other.
        mutating func endOption() {
            if isInOption, options[options.endIndex - 1].value == nil {
                options[options.endIndex - 1].value = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            isInOption = false
        }

        /// The values that a browser sends: those of the selected options, or that of the first when none is selected
        /// and only one can be. It sends nothing for a disabled option.
        var values: [String] {
            let selected = options.filter(\.isSelected)
            if isMultiple { return selected.filter { !$0.isDisabled }.compactMap(\.value) }
            guard let option = selected.last ?? options.first(where: { !$0.isDisabled }), !option.isDisabled else {
                return []
            }
            return [option.value ?? ""]
        }
    }
}

extension String {
    /// The value of a text area with this text: every line ends with LF, and the line break right after the start tag
    /// is not part of the value.
    fileprivate var valueOfTextArea: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var isAfterReturn = false
        for byte in utf8 {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            if isAfterReturn, byte == UInt8(ascii: "\n") { continue }
            bytes.append(byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte)
        }
        return String(decoding: bytes.first == UInt8(ascii: "\n") ? bytes[1...] : bytes[...], as: UTF8.self)
    }
}
