import AviaryDomain

/// What ``ModelAdmin`` was told of a list, in its order and not yet checked.
struct ListDeclarations: Sendable {
    typealias Path = any AnyKeyPath & Sendable

    /// Nil where the standard ones are shown.
    var columns: [AdminColumn]?
    /// What stands behind them.
    var moreColumns: [AdminColumn] = []
    var formats: [(keyPath: Path, make: @Sendable (PropertySchema) -> CellFormat)] = []
    /// Nil where nothing is declared: what is `.fullText` is searched.
    var search: [Path]?
    var filters: [Path] = []
    var ordering: (keyPath: Path, direction: AviaryDomain.SortDirection)?
    var actions: [BulkAction] = []
}
