package import AviaryDesign
package import AviaryDomain

/// The page with the progress of undoing a series and the form that continues it.
package struct BatchUndoView: Component {
    let step: BatchUndoStep
    let series: ChangeSetSeries
    let csrf: String
    let backHref: String

    package init(step: BatchUndoStep, series: ChangeSetSeries, csrf: String, backHref: String) {
        self.step = step
        self.series = series
        self.csrf = csrf
        self.backHref = backHref
    }

    private static let mostObstacles = 3

    package var title: String { step.next == nil ? localized("Undid all steps") : localized("Undoing…") }

    package func render(into html: inout HTML) {
        let isFinished = step.next == nil
        html.render(
            BatchStatus(
                title: title, text: text, problem: problem, links: links, isFinished: isFinished,
                action: step.next.map(ActivityPaths.undo) ?? "", csrf: csrf,
                hidden: Self.fields(series, done: step.done, returningTo: backHref),
                backTitle: isFinished ? localized("Go back") : localized("Stop"), backHref: backHref
            ))
    }

    private var text: String {
        step.next == nil
            ? localized(step.done, one: "Undid 1 step.", other: "Undid \(step.done) steps.")
            : localized(
                step.done, one: "Undid 1 step so far.", other: "Undid \(step.done) steps so far.")
    }

    private var namedObstacles: ArraySlice<UndoObstacleText> { step.obstacles.prefix(Self.mostObstacles) }

    private var problem: String? {
        guard step.isRefused else { return nil }
        let sentences = namedObstacles.map(\.sentence).joined(separator: " ")
        return step.isTemporary
            ? sentences : localized("Stopped here: newer changes are never overwritten.") + " " + sentences
    }

    private var links: [LinkedText.Link] {
        namedObstacles.compactMap { obstacle in obstacle.href.map { LinkedText.Link(obstacle.sentence, href: $0) } }
    }

    /// Returns the fields of the form that undoes a series.
    package static func fields(_ series: ChangeSetSeries, done: Int = 0, returningTo back: String) -> [(String, String)]
    {
        [("series", series.id.canonicalText), ("done", String(done)), ("return", back)]
    }
}
