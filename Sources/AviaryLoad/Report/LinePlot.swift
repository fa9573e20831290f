/// Values over seconds, or over something else that grows, drawn as SVG.
struct LinePlot: Sendable {
    struct Line: Sendable {
        let name: String
        /// Its colour: `line-0`, `line-1`… in the style sheet.
        let style: Int
        let points: [(x: Double, y: Double)]
        /// Few points, each a measurement of its own.
        var hasDots = false
    }

    let title: String
    let unit: String
    let lines: [Line]
    /// Moments that matter.
    let marks: [Double]
    /// Where the horizontal axis ends, and what it counts.
    let end: Double
    let endUnit: String

    private static let (width, height) = (880.0, 260.0)
    private static let (left, right, top, bottom) = (16.0, 16.0, 26.0, 34.0)

    private var values: Axis { Axis(upTo: lines.flatMap { $0.points.map(\.y) }.max() ?? 1, unit: unit) }
    private var span: Double { max(end, 0.001) }

    private func x(_ place: Double) -> String {
        Markup.number(Self.left + min(1, max(0, place / span)) * (Self.width - Self.left - Self.right))
    }

    private func y(_ value: Double, in axis: Axis) -> Double {
        Self.height - Self.bottom - value / axis.end * (Self.height - Self.top - Self.bottom)
    }

    var svg: String {
        let axis = values
        return
            "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" aria-label=\"\(Markup.escape(title))\">"
            + grid(axis) + places + kills + lines.filter { !$0.points.isEmpty }.map { drawing($0, axis) }.joined()
            + labels(axis) + "</svg>"
    }

    private func grid(_ axis: Axis) -> String {
        axis.ticks.enumerated().map { index, tick in
            "<path class=\"\(index == 0 ? "base" : "grid")\" d=\"M\(Markup.number(Self.left)) \(Markup.number(y(tick, in: axis)))H\(Markup.number(Self.width - Self.right))\"/>"
        }.joined()
    }

    /// After the lines, so that none of them runs through a number.
    private func labels(_ axis: Axis) -> String {
        axis.ticks.indices.dropFirst().map { index in
            "<text class=\"halo\" x=\"\(Markup.number(Self.left))\" y=\"\(Markup.number(y(axis.ticks[index], in: axis) - 5))\">\(Markup.escape(axis.label(index)))</text>"
        }.joined()
    }

    private var places: String {
        let ticks = Axis(upTo: end, unit: endUnit, wantedTicks: 8).ticks.filter { $0 <= span * 1.001 }
        return ticks.enumerated().map { index, tick in
            let isLast = index == ticks.count - 1
            let anchor = index == 0 ? "start" : isLast && tick > span * 0.95 ? "end" : "middle"
            return
                "<text x=\"\(x(tick))\" y=\"\(Markup.number(Self.height - 12))\" text-anchor=\"\(anchor)\">\(Markup.escape(Figure.tick(tick)))\(isLast ? " " + Markup.escape(endUnit) : "")</text>"
        }.joined()
    }

    private var kills: String {
        marks.filter { $0 <= span }.map { mark in
            "<path class=\"kill\" d=\"M\(x(mark)) \(Markup.number(Self.top))V\(Markup.number(Self.height - Self.bottom))\"><title>Kill at \(Markup.escape(Figure.seconds(mark)))</title></path>"
        }.joined()
    }

    private func drawing(_ line: Line, _ axis: Axis) -> String {
        let points = line.points.map { "\(x($0.x)) \(Markup.number(y($0.y, in: axis)))" }
        var svg =
            "<path class=\"line line-\(line.style)\" d=\"M\(points.joined(separator: "L"))\"><title>\(Markup.escape(line.name))</title></path>"
        guard line.hasDots else { return svg }
        for point in line.points {
            svg +=
                "<circle class=\"dot-\(line.style)\" cx=\"\(x(point.x))\" cy=\"\(Markup.number(y(point.y, in: axis)))\" r=\"3.5\"><title>\(Markup.escape("\(line.name): \(Figure.text(point.y)) \(unit) at \(Figure.text(point.x)) \(endUnit)"))</title></circle>"
        }
        return svg
    }
}
