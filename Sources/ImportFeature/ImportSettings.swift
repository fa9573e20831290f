package import AviaryDomain

/// How a file of records is to be understood, as a form says it.
package struct ImportSettings: Sendable, Hashable {
    static let leftOut = ""

    /// For each column the property that it fills, or `id`; nil for one that is left out.
    let properties: [String?]
    /// Texts that stand for no value.
    let nullMarkers: [String]
    let createsRelated: Bool
    let match: ImportMatch

    /// What is thought of first: columns fill the properties of their names.
    init(properties: [String?]) {
        self.properties = properties
        nullMarkers = []
        createsRelated = false
        match = .none
    }

    /// - Parameter columns: How many the file has.
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

    /// Whether a field of the form is read here.
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
