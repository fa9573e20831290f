/// An HTML form with the fields that a browser would send.
package struct Form: Sendable, Hashable {
    /// The attribute `id` of the form; nil for a form without one.
    package var id: String?
    package var action = ""
    /// The fields that a browser sends, in the order of the page: no buttons and no unticked boxes.
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
    private var select: (name: String, value: String?)?
    private var textArea: (name: String, text: String)?

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
        case .close("select"):
            if let select { add(select.name, select.value ?? "") }
            select = nil
        case .close("textarea"):
            if let textArea { add(textArea.name, textArea.text) }
            textArea = nil
        case .text(let text): textArea?.text += text
        case .close: break
        }
    }

    private mutating func open(_ tag: Tag) {
        if tag.name == "form" {
            forms.append(Form(id: tag["id"], action: tag["action"] ?? ""))
            isInForm = true
        }
        guard isInForm else { return }
        switch tag.name {
        case "input": input(tag)
        case "select": select = tag["name"].map { ($0, nil) }
        case "option":
            // A browser sends the first option when none is selected.
            if tag["selected"] != nil || select?.value == nil { select?.value = tag["value"] ?? "" }
        case "textarea": textArea = tag["name"].map { ($0, "") }
        case "button":
            if let action = tag["formaction"] { forms[forms.endIndex - 1].otherActions.append(action) }
        default: break
        }
    }

    private mutating func input(_ tag: Tag) {
        guard let name = tag["name"] else { return }
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
