package import AviaryDomain

/// The settings of an import, as a form specifies them.
package struct ImportSettings: Sendable, Hashable {
    static let leftOut = ""

    /// The property that each column fills, or `id`; nil for a column that is left out.
    let properties: [String?]
    /// The texts that represent null.
    let nullMarkers: [String]
    let createsRelated: Bool
    let match: ImportMatch

    /// Creates the default settings, in which columns fill the properties with their names.
    init(properties: [String?]) {
        self.properties = properties
        nullMarkers = []
        createsRelated = false
        match = .none
    }

    /// Creates the settings from form fields.
    ///
    /// - Parameter columns: The number of columns in the file.
    package init(_ form: [FormField], columns: Int) {
        properties = (0..<columns).map { index in
            form.value(Self.name(ofColumn: index)).flatMap { $0 == Self.leftOut ? nil : $0 }
        }
        nullMarkers = (form.value("null") ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }.filter {
            !$0.isEmpty
        }
        createsRelated = form.value("related") == "true"
        match =
            switch form.value("match") ?? "" {
            case "": .none
            case let name: ImportMatch(named: name)
            }
    }

    private static let columnPrefix = "column."

    static func name(ofColumn index: Int) -> String { columnPrefix + String(index) }

    /// Indicates whether a form field belongs to the settings.
    static func isField(_ name: String) -> Bool {
        name.hasPrefix(columnPrefix) || ["null", "related", "match"].contains(name)
    }

    func mapping(of columns: [String]) -> [FieldMapping] {
        zip(columns, properties).compactMap { column, property in
            property.map { FieldMapping(property: $0, column: column) }
        }
    }

    var matchName: String {
        switch match {
        case .none: ""
        case .id: "id"
        case .property(let name): name
        }
    }
}
