package enum SortDirection: Sendable {
    case ascending, descending

    var name: String { self == .ascending ? "ascending" : "descending" }
    var icon: Icon { self == .ascending ? .ascending : .descending }
}
