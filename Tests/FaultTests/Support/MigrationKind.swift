/// What the program `StoreMigrator` has otherwise than the one that wrote the store.
enum MigrationKind: String, CaseIterable {
    case added, renamed, widened, widenedInPlace, optional, indexed, unique, uniqueTogether, relation, dropped
    case all

    /// What its columns are called, and what of them is added up.
    var columns: SampleColumns {
        switch self {
        case .renamed: SampleColumns(name: "name")
        case .all: SampleColumns(name: "name", weight: "weight")
        default: .before
        }
    }
}

/// The columns of a sample that every program has, under whatever name.
struct SampleColumns {
    static let before = SampleColumns()

    var name = "title"
    var weight = "grams"
}
