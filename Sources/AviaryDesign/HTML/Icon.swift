/// An icon in the colour of the surrounding text. An icon is never the only carrier of a meaning.
package enum Icon: Sendable, CaseIterable, Component {
    case plus, previous, next, ascending, descending, trash, check, close, overview, list, more
    case information, warning, failure, draft, search
    case arrow, filter, undo, activity, people
    case calendar, chart, clock, document, mail, map, tag

    package func render(into html: inout HTML) {
        html.literal(
            #"<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" "#)
        html.literal(#"stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=""#)
        html.literal(path)
        html.literal(#""/></svg>"#)
    }

    private var path: StaticString {
        switch self {
        case .plus: "M8 3.25v9.5M3.25 8h9.5"
        case .previous: "M9.75 3.75 5.5 8l4.25 4.25"
        case .next: "M6.25 3.75 10.5 8l-4.25 4.25"
        case .ascending: "M4.25 9.75 8 6l3.75 3.75"
        case .descending: "M4.25 6.25 8 10l3.75-3.75"
        case .trash: "M2.75 4.5h10.5M6 4.5V2.75h4V4.5M4 4.5l.6 8.75h6.8L12 4.5M6.75 7.25v3.5M9.25 7.25v3.5"
        case .check: "M3.25 8.5 6.5 11.75l6.25-7.5"
        case .close: "M4 4l8 8M12 4l-8 8"
        case .overview: "M2.75 2.75h4v5h-4zM9.25 2.75h4v2.5h-4zM9.25 8.25h4v5h-4zM2.75 10.75h4v2.5h-4z"
        case .list: "M2.75 4h.01M2.75 8h.01M2.75 12h.01M6 4h7.25M6 8h7.25M6 12h7.25"
        case .more: "M3.5 8h.01M8 8h.01M12.5 8h.01"
        case .information: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 7.5v3.25M8 5.25h.01"
        case .warning: "M8 2 14.5 13.25h-13zM8 6.5v3M8 11.4h.01"
        case .failure: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 5v3.5M8 10.75h.01"
        case .arrow: "M3 8h10M9.25 4.25 13 8l-3.75 3.75"
        case .filter: "M2.75 4h10.5M4.75 8h6.5M6.75 12h2.5"
        case .undo: "M3.25 6.25h6.5a3.5 3.5 0 0 1 0 7H6M6 3.25l-3 3 3 3"
        case .activity: "M1.75 8h3l2-4.75 2.75 9.5 2-4.75h2.75"
        case .people:
            "M6 7.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 1 0 0 5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3a2.25 2.25 0 0 1 0 4.25M12 9.75c1.5.5 2.5 1.75 2.5 3.75"
        case .search: "M7 2.75a4.25 4.25 0 1 0 0 8.5a4.25 4.25 0 1 0 0-8.5M10.25 10.25l3 3"
        case .calendar: "M2.75 4h10.5v9.25H2.75zM2.75 7h10.5M5.5 2.5v3M10.5 2.5v3"
        case .chart: "M2.75 2.75v10.5h10.5M5.75 10.5V8M8.5 10.5V5.5M11.25 10.5V7"
        case .clock: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 4.5V8l2.5 1.5"
        case .document: "M3.75 1.75h5.5l3 3v9.5h-8.5zM9 2v3h3M6 8h4M6 11h4"
        case .mail: "M1.75 3.5h12.5v9H1.75zM2 4l6 4.75L14 4"
        case .map:
            "M8 14.25c-3-3.25-4.5-5.5-4.5-7.5a4.5 4.5 0 0 1 9 0c0 2-1.5 4.25-4.5 7.5M8 5.25a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3"
        case .tag: "M2.75 2.75h5l5.5 5.5-5 5-5.5-5.5zM5.5 5.5h.01"
        case .draft: "M10.75 2.75l2.5 2.5-7.5 7.5-3.25.75.75-3.25zM9 4.5 11.5 7"
        }
    }
}
