/// A button of a sheet that sends the form as it is typed and is neither Save nor Cancel.
package struct SheetButton: Sendable {
    let title: String
    /// The field with which the form says which button it was.
    let name: String
    let value: String
    let action: String

    package init(title: String, name: String, value: String, action: String) {
        self.title = title
        self.name = name
        self.value = value
        self.action = action
    }

    func render(into html: inout HTML, class name: StaticString? = "button") {
        html.element(
            "button", .type("submit"), Attribute("class", name?.description), .name(self.name), .value(value),
            .formAction(action),
            .flag("formnovalidate"), .flag("data-step"), text: title)
    }
}
