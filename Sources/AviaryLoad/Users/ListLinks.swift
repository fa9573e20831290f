/// What one can follow from the list as it was last seen.
struct ListLinks: Sendable {
    private(set) var next: String?
    private(set) var sorts: [String] = []
    private(set) var records: [String] = []
    private(set) var titles: [String] = []
    private(set) var hasSearch = false

    init() {}

    init(_ page: ListPage) {
        next = page.next
        sorts = page.sorts
        records = page.rows.map(\.href)
        titles = page.rows.map(\.title)
        hasSearch = page.hasSearch
    }
}
