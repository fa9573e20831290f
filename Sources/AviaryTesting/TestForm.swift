import AviaryDomain

/// A form with the values of its fields, as a person fills it in.
///
/// ```swift
/// var sheet = try await browser.get("/admin/animals/new").sheet()
/// sheet["name"] = "Okapi"
/// let response = try await browser.submit(sheet)
/// ```
///
/// A form that was read from a page has the fields that a browser sends: the texts without the line break right after
/// the start tag of a text area, the first option of a select in which none is selected, and no disabled fields,
/// unticked boxes and buttons.
public struct TestForm: Sendable, Hashable {
    /// The method with which a browser sends a form.
    public enum Method: String, Sendable, Hashable {
        /// The fields are the query of the address.
        case get = "GET"
        /// The fields are the body of the request.
        case post = "POST"
    }

    /// The address that the form is sent to; empty for a form that was not read from a page.
    public let action: String
    /// The method with which ``TestBrowser/submit(_:)`` sends the form; POST for a form that was not read from a page.
    public let method: Method

    private var fields: [FormField]

    /// Creates a form from names and values. A name can occur several times.
    ///
    /// - Parameter fields: The fields in the order in which they are sent.
    public init(_ fields: KeyValuePairs<String, String> = [:]) {
        self.init(action: "", method: .post, fields: fields.map { ($0.key, $0.value) })
    }

    init(action: String, method: Method, fields: [(name: String, value: String)]) {
        self.action = action
        self.method = method
        self.fields = fields.map { FormField(name: $0.name, value: $0.value) }
    }

    /// The value of a field; nil when the form does not send it, such as a box that is not ticked.
    ///
    /// Setting a value removes all other values of the field. Setting nil removes the field.
    ///
    /// - Parameter name: The name of the field, which is the name of the property in a sheet.
    public subscript(name: String) -> String? {
        get { fields.value(name) }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a value, and keeps the other values of the field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(FormField(name: name, value: value))
    }

    /// Returns all values of a field, in the order in which the form sends them.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The values.
    public func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The form in the encoding of a request's body. Line breaks are CR LF, as browsers send them.
    var encoded: String {
        FormEncoding.encode(fields.map { FormField(name: $0.name, value: $0.value.withFormLineBreaks) })
    }

    /// The path with the fields as its query, which replaces the query of the action.
    var pathWithQuery: String { action.prefix { $0 != "?" && $0 != "#" } + "?" + encoded }
}

extension String {
    /// The text with CR LF for each CR LF, LF and CR.
    fileprivate var withFormLineBreaks: String {
        var scalars = UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            switch scalar {
            case "\n" where isAfterReturn: break
            case "\n", "\r": scalars.append(contentsOf: "\r\n".unicodeScalars)
            default: scalars.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return String(scalars)
    }
}
