import AviaryDesign
import AviaryDomain

extension ListViewModel {
    /// Says of each range that ends before it begins why nothing is in it, with the way to what was meant.
    var rangeNotices: [Notice] {
        let words = FilterWords(configuration: configuration, titles: filterTitles)
        return query.settings.filter(isUpsideDown).map { setting in
            let settings = query.settings.map { $0 == setting ? $0.swapped : $0 }
            return Notice(
                .warning, words.upsideDown(setting),
                actions: [.link(title: localized("Swap them"), href: href(search: query.search, settings))]
            )
        }
    }

    func isUpsideDown(_ setting: FilterSetting) -> Bool {
        configuration.filter(setting.property)?.isUpsideDown(setting) ?? false
    }
}

extension FilterSetting {
    fileprivate var swapped: FilterSetting {
        var setting = self
        (setting.lower, setting.upper) = (upper, lower)
        return setting
    }
}
