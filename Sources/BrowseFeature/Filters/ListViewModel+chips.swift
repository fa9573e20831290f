import AviaryDesign
import AviaryDomain

extension ListViewModel {
    /// What the list is narrowed by, each with the way to the list without it.
    var chips: [FilterChip] {
        let words = FilterWords(configuration: configuration, titles: filterTitles)
        var chips: [FilterChip] = []
        if let search = query.search {
            chips.append(FilterChip(text: words.search(search), removeHref: href(search: nil, query.settings)))
        }
        for setting in query.settings {
            let others = query.settings.filter { $0.property != setting.property }
            chips.append(FilterChip(text: words.sentence(setting), removeHref: href(search: query.search, others)))
        }
        return chips
    }

    /// The list without search and filters, in the same order.
    var allHref: String { href(search: nil, []) }

    func href(search: String?, _ settings: [FilterSetting]) -> String {
        paths.list.withQuery(
            query.narrowed(search: search, settings: settings, for: configuration).text(for: configuration))
    }
}
