import AviaryDesign
import AviaryDomain

/// The first and the last day that something is narrowed down to.
struct ActivityDayFields {
    let query: ActivityQuery

    var fields: [Field] {
        [
            Field(name: "from", label: localized("From"), control: .date(value: query.from?.description ?? "")),
            Field(name: "to", label: localized("To"), control: .date(value: query.to?.description ?? "")),
        ]
    }

    /// Says why nothing is shown, with the way to what was meant; nil where the days are in their order. It stands below the fields,
    /// which need no words of their own for it.
    ///
    /// - Parameter path: Of the page.
    func notice(at path: String) -> Notice? {
        guard query.isUpsideDown, let from = query.from, let to = query.to else { return nil }
        let (first, last) = (DateWords.day(from.description), DateWords.day(to.description))
        return Notice(
            .warning, localized("From \(first) to \(last) ends before it begins, so nothing is in it."),
            actions: [.link(title: localized("Swap them"), href: path.withQuery(query.swapped.text))]
        )
    }
}
