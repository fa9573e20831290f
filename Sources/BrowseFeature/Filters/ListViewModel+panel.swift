import AviaryDesign
import AviaryDomain

extension ListViewModel {
    /// Nil while it is closed.
    var filterPanel: FilterPanel? {
        guard isFilterPanelOpen else { return nil }
        let withoutFilters = query.narrowed(search: query.search, settings: [], for: configuration)
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
                    name: name + ".empty", value: "1", label: localized("None"), isTicked: setting.isEmpty == true))
        }
        if filter.kind == .presence {
            boxes.append(
                FilterGroup.Box(
                    name: name + ".empty", value: "0", label: localized("Any"), isTicked: setting.isEmpty == false))
        }
        return FilterGroup(
            title: property.label, boxes: boxes, bounds: filter.isRange ? bounds(name, filter, setting, property) : [],
            problem: isUpsideDown(setting) ? localized("This ends before it begins.") : nil,
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
                // An address may ask for a time, which a field for days cannot show.
                case .instant where CalendarDate(text) == nil && !text.isEmpty: .text
                default: .day
                }
            return FilterGroup.Bound(name: name + part, value: text, label: label, kind: kind)
        }
        return [bound(".from", localized("From"), setting.lower), bound(".to", localized("To"), setting.upper)]
    }

    /// Few records are all there.
    private func finder(_ filter: ListFilter, _ property: PropertySchema) -> FilterGroup.Finder? {
        guard case .relation = filter.kind, let offer = offers[filter.property] else { return nil }
        guard offer.hasMore || !offer.find.isEmpty || offer.isUnreadable else { return nil }
        let note: String? =
            if offer.isUnreadable {
                localized("The names could not be read. Try again in a moment.")
            } else if offer.choices.isEmpty, offer.hasMore {
                localized("Not all names could be looked through in time. Write how the name begins, or more of it.")
            } else if offer.choices.isEmpty {
                localized("Nothing begins like that. Try other letters.")
            } else if offer.hasMore {
                localized("There are more. Write how the name begins, and press Find.")
            } else {
                nil
            }
        return FilterGroup.Finder(
            name: ListPanel.findPrefix + filter.property, value: offer.find,
            label: localized("Find: \(property.label)"), note: note
        )
    }
}
