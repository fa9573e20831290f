/// What the program `StoreMigrator` has otherwise than the one that wrote the store.
enum MigrationKind: String, CaseIterable {
    case added, renamed, widened, widenedInPlace, optional, indexed, unique, uniqueTogether, relation, links, dropped
    case all

    /// What its columns are called, and what of them is added up.
    var columns: SampleColumns {
        switch self {
        case .renamed: SampleColumns(name: "name")
        case .links: SampleColumns(links: "Sample.carers")
        case .all: SampleColumns(name: "name", weight: "weight", links: "Sample.carers")
        default: .before
        }
    }
}

/// The columns and the links of a sample that every program has, under whatever name.
struct SampleColumns {
    static let before = SampleColumns()

    var name = "title"
    var weight = "grams"
    /// What the relation with keepers is called.
    var links = "Sample.keepers"
}
