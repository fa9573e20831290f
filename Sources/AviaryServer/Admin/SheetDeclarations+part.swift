import AviaryDomain

/// What ``ModelAdmin`` was told of a sheet, in its order and not yet checked.
struct SheetDeclarations: Sendable {
    typealias Path = any AnyKeyPath & Sendable

    struct Rows: Sendable {
        let keyPath: Path
        let child: String
        let fields: [Path]
    }

    var sections: [(title: String, fields: [Path])] = []
    var labels: [(keyPath: Path, text: String)] = []
    var help: [(keyPath: Path, text: String)] = []
    var readOnly: [Path] = []
    var computed: [(keyPath: Path, column: ComputedColumn)] = []
    var widgets: [(keyPath: Path, widget: SheetWidget)] = []
    var rows: [Rows] = []

    /// The labels of properties, by name. What is none is told when the declarations are checked.
    func labels(of schema: ModelSchema) -> [String: String] {
        Dictionary(
            labels.compactMap { label in schema.property(at: label.keyPath).map { ($0.name, label.text) } },
            uniquingKeysWith: { _, last in last }
        )
    }
    /// The names of what nobody sets. What is no property is told when the declarations are checked.
    func readOnlyNames(of schema: ModelSchema) -> Set<String> {
        Set(readOnly.compactMap { schema.property(at: $0)?.name })
    }
}
