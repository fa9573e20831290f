/// A labelled control in a sheet, with its help and its error.
package struct Field: Sendable {
    let name: String
    let label: String
    let control: Control
    let help: String?
    let error: String?
    let isRequired: Bool
    /// Where the value itself leads, on another site.
    let link: String?
    /// Another text that could stand here.
    let comparison: Comparison?
    /// A way to something that can then be chosen here.
    let button: SheetButton?
    let courtesy: Courtesy?

    package init(
        name: String, label: String, control: Control, help: String? = nil, error: String? = nil,
        isRequired: Bool = false, link: String? = nil, comparison: Comparison? = nil, button: SheetButton? = nil,
        courtesy: Courtesy? = nil
    ) {
        self.name = name
        self.label = label
        self.control = control
        self.help = help
        self.error = error
        self.isRequired = isRequired
        self.link = link
        self.comparison = comparison
        self.button = button
        self.courtesy = courtesy
    }

    var id: String { "field-\(name)" }
    var helpID: String { "help-\(name)" }
    var errorID: String { "error-\(name)" }

    var description: String? {
        switch (help, error) {
        case (nil, nil): nil
        case (.some, nil): helpID
        case (nil, .some): errorID
        case (.some, .some): "\(errorID) \(helpID)"
        }
    }

    var takesFocus: Bool {
        if case .fixed = control { false } else { true }
    }
}
