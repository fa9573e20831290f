/// A form as a browser would send it.
struct Form: Sendable, Hashable {
    var action = ""
    /// In the order of the page: only what a browser sends, so no buttons and no unticked boxes.
    var fields: [FormField] = []
    /// Where its other buttons send it.
    var otherActions: [String] = []
    /// What its radio buttons offer, ticked or not.
    var choices: [FormField] = []
    /// The first field that takes a line of text: a record's title, in our own editors.
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

    /// The text of the title.
    var title: String? { textField.flatMap { self[$0] } }

    func settingTitle(_ title: String) -> Form {
        textField.map { setting($0, to: title) } ?? self
    }
}

/// Reads the forms of a page.
struct FormReader {
    private var forms: [Form] = []
    private var isInForm = false
    private var select: (name: String, value: String?)?
    private var textArea: (name: String, text: String)?

    static func forms(in body: [UInt8]) -> [Form] {
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
            forms.append(Form(action: tag["action"] ?? ""))
            isInForm = true
        }
        guard isInForm else { return }
        switch tag.name {
        case "input": input(tag)
        case "select": select = tag["name"].map { ($0, nil) }
        case "option":
            // Without a selected option a browser sends the first.
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
                forms[forms.endIndex - 1].choices.append(FormField(name: name, value: tag["value"] ?? "on"))
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
        forms[forms.endIndex - 1].fields.append(FormField(name: name, value: value))
    }
}
