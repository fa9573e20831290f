import AviaryDomain

/// A form with the values of its fields, as a person fills it in.
///
/// ```swift
/// var sheet = try await browser.get("/admin/animals/new").sheet()
/// sheet["name"] = "Okapi"
/// let response = try await browser.submit(sheet)
/// ```
public struct TestForm: Sendable {
    /// The address that the form is sent to; empty for a form that was not read from a page.
    public let action: String

    private var fields: [FormField]

    /// Creates a form from names and values. A name can occur several times.
    ///
    /// - Parameter fields: The fields in the order in which they are sent.
    public init(_ fields: KeyValuePairs<String, String> = [:]) {
        self.init(action: "", fields: fields.map { ($0.key, $0.value) })
    }

    init(action: String, fields: [(name: String, value: String)]) {
        self.action = action
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

    /// The form in the encoding of a request's body.
    var encoded: String { FormEncoding.encode(fields) }
}
