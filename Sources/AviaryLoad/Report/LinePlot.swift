/// Values over the seconds of a run, drawn as SVG.
struct LinePlot: Sendable {
    struct Line: Sendable {
        let name: String
        /// Its colour: `line-0`, `line-1`… in the style sheet.
        let style: Int
        let points: [(seconds: Double, value: Double)]
    }

    let title: String
    let unit: String
    let lines: [Line]
    /// Moments that matter, by second.
    let marks: [Double]
    let seconds: Double

    private static let (width, height) = (880.0, 260.0)
    private static let (left, right, top, bottom) = (16.0, 16.0, 26.0, 34.0)

    private var valueAxis: Axis {
        Axis(upTo: lines.flatMap { $0.points.map(\.value) }.max() ?? 1, unit: unit)
    }
    private var timeAxis: Axis { Axis(upTo: seconds, unit: "s", wantedTicks: 8) }

    var svg: String {
        let (values, times) = (valueAxis, timeAxis)
        let span = max(seconds, 0.001)
        func x(_ second: Double) -> Double { Self.left + min(1, second / span) * (Self.width - Self.left - Self.right) }
        func y(_ value: Double) -> Double { Self.height - Self.bottom - value / values.end * (Self.height - Self.top - Self.bottom) }
        var svg = "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" aria-label=\"\(Markup.escape(title))\">"
        for (index, tick) in values.ticks.enumerated() {
            svg += "<path class=\"\(index == 0 ? "base" : "grid")\" d=\"M\(Markup.number(Self.left)) \(Markup.number(y(tick)))H\(Markup.number(Self.width - Self.right))\"/>"
            if index > 0 { svg += "<text x=\"\(Markup.number(Self.left))\" y=\"\(Markup.number(y(tick) - 5))\">\(Markup.escape(values.label(index)))</text>" }
        }
        for (index, tick) in times.ticks.enumerated() where tick <= span * 1.001 {
            let isLast = index == times.ticks.lastIndex { $0 <= span * 1.001 }
            let anchor = index == 0 ? "start" : isLast && tick > span * 0.95 ? "end" : "middle"
            svg += "<text x=\"\(Markup.number(x(tick)))\" y=\"\(Markup.number(Self.height - 12))\" text-anchor=\"\(anchor)\">\(Markup.escape(Figure.tick(tick)))\(isLast ? " s" : "")</text>"
        }
        for mark in marks where mark <= span {
            svg += "<path class=\"kill\" d=\"M\(Markup.number(x(mark))) \(Markup.number(Self.top))V\(Markup.number(Self.height - Self.bottom))\"><title>Kill at \(Markup.escape(Figure.seconds(mark)))</title></path>"
        }
        for line in lines where !line.points.isEmpty {
            let points = line.points.map { "\(Markup.number(x($0.seconds))) \(Markup.number(y($0.value)))" }
            svg += "<path class=\"line line-\(line.style)\" d=\"M\(points.joined(separator: "L"))\"><title>\(Markup.escape(line.name))</title></path>"
        }
        return svg + "</svg>"
    }
}
