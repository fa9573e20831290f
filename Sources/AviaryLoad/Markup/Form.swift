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
