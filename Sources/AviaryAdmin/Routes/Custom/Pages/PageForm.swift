import AviaryDesign
public import AviaryDomain

/// A form of a page.
///
/// ```swift
/// PageForm("Feed an animal", to: "/feeding-plan", fields: [
///     .select("animal", "Animal", options: animals.map { PageOption("\($0.id)", $0.name) }),
///     .number("kilograms", "Kilograms", value: "2").required(),
/// ], submit: "Feed")
/// ```
///
/// A form that sends `POST` contains the CSRF token of the session, so the route at its address accepts it. The handler
/// reads the fields with ``RouteRequest/form(_:)``, checks them, and answers with ``RouteResponse/seeOther(_:)`` or with
/// the page again, with status 422, the submitted values and a ``PageField/error(_:)`` at each field to mend.
public struct PageForm: PageElement, PagePart {
    /// The HTTP method that a form sends.
    public enum Method: Sendable, Hashable {
        /// The method `GET`, for a search or filter: the fields become the query of the address.
        case get
        /// The method `POST`, for a change.
        case post
    }

    private let title: String?
    private let address: String
    private let method: Method
    private let hidden: [(String, String)]
    private let fields: [PageField]
    private let submitTitle: String

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - title: The title of the box around the form; nil for a form without a box.
    ///   - address: The path of a route of the application. Any other address becomes `#`.
    ///   - method: The method; `POST` by default.
    ///   - hidden: Fields that are sent and not shown, such as an id. A person can change them as any other field.
    ///   - fields: The fields, in the order of the page.
    ///   - submitTitle: The title of the button.
    public init(
        _ title: String? = nil, to address: String, method: Method = .post,
        hidden: KeyValuePairs<String, String> = [:], fields: [PageField], submit submitTitle: String
    ) {
        self.title = title
        self.address = address
        self.method = method
        self.hidden = hidden.map { ($0.key, $0.value) }
        self.fields = fields
        self.submitTitle = submitTitle
    }

    /// The form itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        let scope = context.nextFormScope()
        var panel = FormPanel(
            title: title ?? "", action: address, csrf: context.csrf, hidden: hidden,
            fields: fields.map { $0.component(scope: scope) },
            submits: [FormPanel.Submit(submitTitle, isPrimary: true)])
        panel.isQuery = method == .get
        if title == nil { panel.renderForm(into: &html) } else { html.render(panel) }
    }
}

/// A button that sends a `POST` with the CSRF token of the session, without a field to fill in.
///
/// ```swift
/// PageButton("Mark as fed", to: "/feeding-plan/fed", fields: ["animal": "\(animal.id)"], about: animal.name)
/// ```
public struct PageButton: PageElement, PagePart {
    /// The look of a button.
    public enum Style: Sendable, Hashable {
        /// A usual button.
        case normal
        /// The most important button of the page.
        case primary
        /// A button that destroys something.
        case danger
    }

    private let title: String
    private let address: String
    private let fields: [(String, String)]
    private let subject: String?
    private let style: Style

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - address: The path of a route of the application. Any other address becomes `#`.
    ///   - fields: The fields that the button sends.
    ///   - subject: The thing that the button acts on, for screen readers; needed where a page has several buttons of
    ///     the same title.
    ///   - style: The look.
    public init(
        _ title: String, to address: String, fields: KeyValuePairs<String, String> = [:], about subject: String? = nil,
        style: Style = .normal
    ) {
        self.title = title
        self.address = address
        self.fields = fields.map { ($0.key, $0.value) }
        self.subject = subject
        self.style = style
    }

    /// The button itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) { html.render(component(csrf: context.csrf)) }

    func component(csrf: String) -> PostButton {
        let style: PostButton.Style =
            switch style {
            case .normal: .normal
            case .primary: .primary
            case .danger: .danger
            }
        return PostButton(title, about: subject, action: address, csrf: csrf, hidden: fields, style: style)
    }
}

/// A field of a ``PageForm``.
///
/// The value of a field is text, as the person typed it: a form that is refused shows it again. The server checks what
/// it receives; the browser's own checks are advice.
public struct PageField: Sendable {
    private let name: String
    private let label: String
    private let control: Control
    private var helpText: String?
    private var errorText: String?
    private var isRequired = false

    private init(_ name: String, _ label: String, _ control: Control) {
        self.name = name
        self.label = label
        self.control = control
    }

    /// Creates a field for one line of text.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the field.
    ///   - label: The label.
    ///   - value: The text.
    ///   - maxLength: The greatest length in UTF-16 code units that the browser lets a person type; nil for any.
    public static func text(
        _ name: String, _ label: String, value: String = "", maxLength: Int? = nil
    ) -> PageField {
        PageField(name, label, .text(value: value, maxLength: maxLength))
    }

    /// Creates a field for several lines of text.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the field.
    ///   - label: The label.
    ///   - value: The text.
    public static func multiline(_ name: String, _ label: String, value: String = "") -> PageField {
        PageField(name, label, .multiline(value: value))
    }

    /// Creates a field for a number, with a keyboard of digits on a phone.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the field.
    ///   - label: The label.
    ///   - value: The number as text.
    ///   - isWhole: Indicates whether the number has no decimals.
    public static func number(
        _ name: String, _ label: String, value: String = "", isWhole: Bool = false
    ) -> PageField {
        PageField(name, label, .number(value: value, step: isWhole ? "1" : "any"))
    }

    /// Creates a field for a day. The browser sends it as `2026-11-23`, which `CalendarDate` reads.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the field.
    ///   - label: The label.
    ///   - value: The day; nil for none.
    public static func date(_ name: String, _ label: String, value: CalendarDate? = nil) -> PageField {
        PageField(name, label, .date(value: value?.description ?? ""))
    }

    /// Creates a switch. The handler reads `true` or `false`.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the field.
    ///   - label: The label.
    ///   - isOn: The state.
    public static func toggle(_ name: String, _ label: String, isOn: Bool = false) -> PageField {
        PageField(name, label, .toggle(isOn: isOn))
    }

    /// Creates a menu.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the value of the selected option.
    ///   - label: The label.
    ///   - options: The options. A person can send any other value too: the handler checks it.
    ///   - selected: The value of the selected option; nil for the first.
    ///   - prompt: The title of a first option with an empty value, such as “Select an animal”; nil for none.
    public static func select(
        _ name: String, _ label: String, options: [PageOption], selected: String? = nil, prompt: String? = nil
    ) -> PageField {
        PageField(
            name, label,
            .select(
                options: options.map { Option(value: $0.value, label: $0.label) }, selected: selected, prompt: prompt))
    }

    /// Creates a menu of the cases of a ``Choice``, with the labels of the admin.
    ///
    /// The value of an option is the raw value of its case.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler reads the raw value.
    ///   - label: The label.
    ///   - type: The type of the choice.
    ///   - selected: The selected case; nil for the prompt, otherwise the first.
    ///   - prompt: The title of a first option with an empty value; nil for none.
    public static func choice<C: Choice>(
        _ name: String, _ label: String, of type: C.Type = C.self, selected: C? = nil, prompt: String? = nil
    ) -> PageField {
        select(
            name, label, options: C.allCases.map { PageOption("\($0.rawValue)", $0.pageLabel) },
            selected: selected.map { "\($0.rawValue)" }, prompt: prompt)
    }

    /// Returns the field with a text below it that explains it.
    ///
    /// - Parameter text: The explanation; nil for none.
    public func help(_ text: String?) -> PageField {
        var field = self
        field.helpText = text
        return field
    }

    /// Returns the field marked as wrong, with a message that says what to do.
    ///
    /// - Parameter message: The message; nil for a field without an error.
    public func error(_ message: String?) -> PageField {
        var field = self
        field.errorText = message
        return field
    }

    /// Returns the field marked as required. The handler still checks that there is a value.
    public func required() -> PageField {
        var field = self
        field.isRequired = true
        return field
    }

    func component(scope: String?) -> Field {
        var field = Field(
            name: name, label: label, control: control, help: helpText, error: errorText, isRequired: isRequired)
        field.scope = scope
        return field
    }
}

/// An option of a ``PageField/select(_:_:options:selected:prompt:)``.
public struct PageOption: Sendable, Hashable {
    /// The value that the browser sends.
    public let value: String
    /// The text that the person sees.
    public let label: String

    /// Creates an option.
    ///
    /// - Parameters:
    ///   - value: The value that the browser sends.
    ///   - label: The text that the person sees; the value by default.
    public init(_ value: String, _ label: String? = nil) {
        self.value = value
        self.label = label ?? value
    }
}
