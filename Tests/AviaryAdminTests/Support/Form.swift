import AviaryDomain
import Testing

/// A form as a person fills it in: the page's values, and the typed ones.
struct Form: Sendable {
    private(set) var fields: [FormField]

    init(_ fields: KeyValuePairs<String, String> = [:]) {
        self.fields = fields.map { FormField(name: $0.key, value: $0.value) }
    }

    /// Reads the hidden fields of the sheet that a page shows.
    init(sheetOf answer: Answer) throws {
        let sheet = try #require(
            answer.source.firstMatch(of: /(?s)<form id="sheet-form".*?<\/form>/), "There is no sheet.")
        fields = sheet.0.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
            FormField(name: String($0.1), value: Markup.unescaped($0.2))
        }
    }

    /// Reads the hidden fields of the form that is sent to this address.
    init(of answer: Answer, action: String) throws {
        let forms = answer.source.matches(of: /(?s)<form[^>]*action="([^"]*)".*?<\/form>/)
        let form = try #require(forms.first { $0.1 == action }, "There is no form for \(action).")
        fields = form.0.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
            FormField(name: String($0.1), value: Markup.unescaped($0.2))
        }
    }

    subscript(name: String) -> String? {
        get { fields.value(name) }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append(FormField(name: name, value: newValue)) }
        }
    }

    mutating func add(_ name: String, _ value: String) {
        fields.append(FormField(name: name, value: value))
    }

    /// Returns the same form with another value.
    func with(_ name: String, _ value: String?) -> Form {
        var copy = self
        copy[name] = value
        return copy
    }

    var encoded: String { FormEncoding.encode(fields) }
}
