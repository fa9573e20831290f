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
