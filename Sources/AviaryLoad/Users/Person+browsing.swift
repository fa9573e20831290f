extension Person {
    /// How many letters somebody types who searches.
    private static let searchLength = 4

    /// Looks at one more page: mostly the next; at times a record, a search, a filter, another order, or the first page again.
    mutating func browse() async {
        switch Int.random(in: 0..<100) {
        case 0..<40: await list(links.next ?? listPath, as: .list)
        case 40..<60:
            guard let record = links.records.randomElement() else { return await list(listPath, as: .list) }
            await look(at: record)
        case 60..<75: await search()
        case 75..<88: await filter()
        case 88..<96: await list(links.sorts.randomElement() ?? listPath, as: .sort)
        default: await list(listPath, as: .list)
        }
    }

    private mutating func list(_ path: String, as operation: Operation) async {
        guard let answer = await open(path, as: operation) else { return }
        links = ListLinks(ListPage(answer.body))
    }

    /// The beginning of a name that somebody saw.
    private mutating func search() async {
        guard links.hasSearch, let title = links.titles.randomElement(), !title.isEmpty else {
            return await list(listPath, as: .list)
        }
        let query = FormEncoding.encode([FormField(name: "q", value: String(title.prefix(Self.searchLength)))])
        await list(listPath + "?" + String(decoding: query, as: UTF8.self), as: .search)
    }

    private mutating func filter() async {
        if filters == nil {
            guard let answer = await open(listPath + "?panel=filters", as: .list) else { return }
            filters = FilterPanel.values(in: answer.body)
        }
        guard let filter = filters?.randomElement() else { return await list(listPath, as: .list) }
        await list(listPath + "?" + filter, as: .filter)
    }

    /// Others may have deleted it by now: a record that is gone is no error, but must be said to be gone.
    private mutating func look(at record: String) async {
        let status = try? await browser.get(record, as: .record).status  // told by the count of failed requests
        switch status {
        case 200: return
        case 404 where !scenario.isReadOnly: links = ListLinks()
        case 503 where expectsInterruptions, nil where expectsInterruptions: return
        default:
            let answer = status.map { "status \($0)" } ?? "nothing"
            incidents.add(.unexpected, "GET \(record) was answered with \(answer).")
        }
    }
}
