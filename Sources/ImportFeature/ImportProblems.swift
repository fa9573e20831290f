package import AviaryDesign
import AviaryDomain

/// What is wrong with a file, line by line.
struct ImportProblems: Component {
    /// More would be a page that nobody reads.
    private static let mostShown = 20

    let problems: [LineProblem]
    let more: Int

    func render(into html: inout HTML) {
        guard !problems.isEmpty else { return }
        let left = more + max(0, problems.count - Self.mostShown)
        html.render(
            Panel(
                title: localized("Problems"),
                text: problems.prefix(Self.mostShown).map { localized("Line \($0.line): \($0.message)") }
                    + (left > 0 ? [localized("and \(left) more")] : [])
            ))
    }
}
