import AviaryDesign
package import AviaryDomain
import Foundation

extension ListViewModel {
    /// The filters of the configuration, which contains only properties that the user is allowed to see.
    var filters: [ListFilter] { configuration.filters }

    /// Reads the titles of the related records that the list is filtered by.
    mutating func loadFilterTitles() async throws {
        for setting in query.settings {
            guard let filter = configuration.filter(setting.property), case .relation(let model) = filter.kind,
                let repository = others(model)
            else { continue }
            let ids = setting.values.compactMap { value in
                if case .text(let text) = value { UUID(canonicalText: text) } else { nil }
            }
            guard !ids.isEmpty else { continue }
            let titles = try await repository.choices(of: ids).map { ($0.id, $0.title) }
            filterTitles[setting.property] = Dictionary(titles, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The largest number of related records that are offered. A search finds the others.
    static var mostOffered: Int { 20 }

    /// Reads the related records that the filter panel offers: the chosen ones, and either the first ones or the
    /// results of the panel's search.
    package mutating func loadPanel() async {
        guard case .filters(let find) = panel else { return }
        for filter in filters {
            guard case .relation(let model) = filter.kind, let repository = others(model) else { continue }
            do {
                let wanted = find[filter.property] ?? ""
                let found =
                    wanted.allSatisfy(\.isWhitespace)
                    ? ChoiceMatches(
                        choices: try await repository.choices(limit: Self.mostOffered + 1), isComplete: true)
                    : try await repository.choices(matching: wanted, limit: Self.mostOffered + 1)
                let chosen = (filterTitles[filter.property] ?? [:]).map { RecordChoice(id: $0.key, title: $0.value) }
                    .sorted { $0.title < $1.title }
                let ids = Set(chosen.map(\.id))
                let others = found.choices.prefix(Self.mostOffered).filter { !ids.contains($0.id) }
                offers[filter.property] = FilterOffer(
                    choices: chosen + others, hasMore: found.choices.count > Self.mostOffered || !found.isComplete,
                    find: wanted
                )
            } catch {
                // The panel shows the failure in place of the records. The list itself is not affected.
                offers[filter.property] = FilterOffer(
                    choices: [], hasMore: false, find: find[filter.property] ?? "", isUnreadable: true)
            }
        }
    }
}

/// The records that a panel offers for a relation.
struct FilterOffer: Sendable, Hashable {
    let choices: [RecordChoice]
    /// Indicates whether there are, or may be, further records.
    let hasMore: Bool
    let find: String
    var isUnreadable = false
}

/// The panel that is open next to a list, as the address specifies it.
///
/// The field is `panel=filters`, with search texts for the pickers of relations (`find.category=mam`), or
/// `panel=columns`.
package enum ListPanel: Sendable, Hashable {
    case filters(find: [String: String])
    case columns

    /// The name of the address field.
    package static let field = "panel"
    static let findPrefix = "find."
    /// The largest size of a search text in bytes.
    private static let longestText = 200

    /// Creates the panel from the fields of an address. Returns nil if they name no panel.
    package init?(_ fields: [FormField]) {
        var find: [String: String] = [:]
        for field in fields where field.name.hasPrefix(Self.findPrefix) && field.value.utf8.count <= Self.longestText {
            find[String(field.name.dropFirst(Self.findPrefix.count))] = field.value
        }
        switch fields.value(Self.field) {
        case "filters": self = .filters(find: find)
        case "columns": self = .columns
        // A search submitted with the Enter key has no button field, so its text opens the filter panel.
        default:
            guard find.values.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
            self = .filters(find: find)
        }
    }
}

extension ListViewModel {
    /// The filter panel; nil while it is closed.
    var filterPanel: FilterPanel? {
        guard isFilterPanelOpen else { return nil }
        let withoutFilters = query.filtered(search: query.search, settings: [], for: configuration)
        return FilterPanel(
            action: paths.list, hidden: hiddenFields(besides: [FilterReader.prefix]), groups: filters.compactMap(group),
            closeHref: closeHref,
            removeHref: query.settings.isEmpty ? nil : paths.list.withQuery(withoutFilters.text(for: configuration))
        )
    }

    private func group(_ filter: ListFilter) -> FilterGroup? {
        guard let property = schema.property(filter.property) else { return nil }
        let setting = query.settings.first { $0.property == filter.property } ?? FilterSetting(filter.property)
        let name = FilterReader.prefix + filter.property
        var boxes: [FilterGroup.Box] = []
        switch filter.kind {
        case .choice: boxes = choices(property).map { box(name, $0.value, $0.label, setting) }
        case .flag:
            boxes = [
                box(name, .integer(1), localized("Yes"), setting), box(name, .integer(0), localized("No"), setting),
            ]
        case .relation:
            boxes = (offers[filter.property]?.choices ?? []).map { box(name, $0.id.fieldValue, $0.title, setting) }
        case .day, .instant, .number, .presence: break
        }
        if filter.isOptional {
            boxes.append(
                FilterGroup.Box(
                    name: name + ".empty", value: "1", label: localized("No value"), isTicked: setting.isEmpty == true))
        }
        // Otherwise Apply would drop a filter that an address has set.
        if filter.kind == .presence || setting.isEmpty == false {
            boxes.append(
                FilterGroup.Box(
                    name: name + ".empty", value: "0", label: localized("Has a value"),
                    isTicked: setting.isEmpty == false))
        }
        return FilterGroup(
            title: property.label, boxes: boxes, bounds: filter.isRange ? bounds(name, filter, setting, property) : [],
            problem: isReversedRange(setting) ? localized("The start is after the end.") : nil,
            finder: finder(filter, property)
        )
    }

    private func choices(_ property: PropertySchema) -> [(value: FieldValue, label: String)] {
        zip(property.type.choices ?? [], property.choiceLabels).compactMap { choice, label in
            guard case .success(let value) = property.parse(choice) else { return nil }
            return (value, label)
        }
    }

    private func box(_ name: String, _ value: FieldValue, _ label: String, _ setting: FilterSetting) -> FilterGroup.Box
    {
        let property = schema.property(setting.property)
        return FilterGroup.Box(
            name: name, value: property?.type.formText(of: value) ?? value.formText, label: label,
            isTicked: setting.values.contains(value)
        )
    }

    private func bounds(
        _ name: String, _ filter: ListFilter, _ setting: FilterSetting, _ property: PropertySchema
    ) -> [FilterGroup.Bound] {
        func bound(_ part: String, _ label: String, _ value: FieldValue?) -> FilterGroup.Bound {
            let text = value.map(property.type.formText) ?? ""
            let kind: FilterGroup.Bound.Kind =
                switch filter.kind {
                case .number: .number
                // An address may specify a time, which a date field cannot show.
                case .instant where CalendarDate(text) == nil && !text.isEmpty: .text
                default: .day
                }
            return FilterGroup.Bound(name: name + part, value: text, label: label, kind: kind)
        }
        return [bound(".from", localized("From"), setting.lower), bound(".to", localized("To"), setting.upper)]
    }

    /// Returns the search field of a relation, or nil if the panel already shows all records.
    private func finder(_ filter: ListFilter, _ property: PropertySchema) -> FilterGroup.Finder? {
        guard case .relation = filter.kind, let offer = offers[filter.property] else { return nil }
        guard offer.hasMore || !offer.find.isEmpty || offer.isUnreadable else { return nil }
        let note: String? =
            if offer.isUnreadable {
                localized("Couldn’t load the names. Try again in a moment.")
            } else if offer.choices.isEmpty, offer.hasMore {
                localized("Searching the names took too long. Enter the beginning of the name, or more of it.")
            } else if offer.choices.isEmpty {
                localized("No name begins like this. Try other letters.")
            } else if offer.hasMore {
                localized("There are more. Enter the beginning of the name, then select Search.")
            } else {
                nil
            }
        return FilterGroup.Finder(
            name: ListPanel.findPrefix + filter.property, value: offer.find,
            label: localized("Search \(property.label)"), note: note
        )
    }
}

extension ListViewModel {
    /// The active search and filters, each with a link to the list without it.
    var chips: [FilterChip] {
        let words = FilterFormatter(configuration: configuration, titles: filterTitles)
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

    /// The address of the list without search and filters, in the same order.
    var allHref: String { href(search: nil, []) }

    func href(search: String?, _ settings: [FilterSetting]) -> String {
        paths.list.withQuery(
            query.filtered(search: search, settings: settings, for: configuration).text(for: configuration))
    }
}

extension ListViewModel {
    /// The warnings about ranges that end before they begin, each with a link that swaps the bounds.
    var rangeNotices: [Notice] {
        let words = FilterFormatter(configuration: configuration, titles: filterTitles)
        return query.settings.filter(isReversedRange).map { setting in
            let settings = query.settings.map { $0 == setting ? $0.swapped : $0 }
            return Notice(
                .warning, words.reversedRange(setting),
                actions: [.link(title: localized("Swap"), href: href(search: query.search, settings))]
            )
        }
    }

    func isReversedRange(_ setting: FilterSetting) -> Bool {
        configuration.filter(setting.property)?.isReversedRange(setting) ?? false
    }
}

extension FilterSetting {
    fileprivate var swapped: FilterSetting {
        var setting = self
        (setting.lower, setting.upper) = (upper, lower)
        return setting
    }
}
