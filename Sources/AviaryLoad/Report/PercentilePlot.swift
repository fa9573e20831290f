import Foundation

/// Percentiles by operation on a logarithmic scale, drawn as SVG: one row an operation, one dot a percentile.
struct PercentilePlot: Sendable {
    let rows: [(name: String, summary: LatencySummary)]

    private static let (width, rowHeight) = (880.0, 28.0)
    private static let (left, right, top, bottom) = (130.0, 24.0, 12.0, 30.0)

    /// The powers of ten, in milliseconds, that hold everything.
    private var decades: ClosedRange<Int> {
        let values = rows.flatMap { [$0.summary.p50, $0.summary.max] }.filter { $0 > 0 }
        let low = Int(floor(log10(values.min() ?? 0.1)))
        return low...max(low + 1, Int(ceil(log10(values.max() ?? 1))))
    }

    var svg: String {
        let decades = decades
        let height = Self.top + Double(rows.count) * Self.rowHeight + Self.bottom
        func x(_ milliseconds: Double) -> Double {
            let position = (log10(max(milliseconds, 0.0001)) - Double(decades.lowerBound)) / Double(decades.count - 1)
            return Self.left + min(1, max(0, position)) * (Self.width - Self.left - Self.right)
        }
        var svg =
            "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(height))\" role=\"img\" aria-label=\"Latency percentiles by operation, in milliseconds\">"
        for decade in decades {
            let place = Markup.number(x(pow(10, Double(decade))))
            let label =
                decade < 0
                ? Figure.decimal(pow(10, Double(decade)), digits: -decade)
                : Figure.grouped(Int(pow(10, Double(decade))))
            svg +=
                "<path class=\"grid\" d=\"M\(place) \(Markup.number(Self.top))V\(Markup.number(height - Self.bottom))\"/>"
            svg +=
                "<text x=\"\(place)\" y=\"\(Markup.number(height - 10))\" text-anchor=\"\(decade == decades.upperBound ? "end" : "middle")\">\(label) ms</text>"
        }
        for (index, row) in rows.enumerated() {
            let y = Markup.number(Self.top + (Double(index) + 0.5) * Self.rowHeight)
            let isAction = !row.name.contains(".")
            svg +=
                "<text class=\"\(isAction ? "action" : "request")\" x=\"0\" y=\"\(y)\" dy=\"4\">\(Markup.escape(row.name))</text>"
            svg +=
                "<path class=\"range\" d=\"M\(Markup.number(x(row.summary.p50))) \(y)H\(Markup.number(x(row.summary.max)))\"/>"
            let dots = [
                (row.summary.p50, "p50", 0), (row.summary.p90, "p90", 1), (row.summary.p99, "p99", 2),
                (row.summary.p999, "p99.9", 3),
            ]
            for (value, name, style) in dots {
                svg +=
                    "<circle class=\"dot-\(style)\" cx=\"\(Markup.number(x(value)))\" cy=\"\(y)\" r=\"4.5\"><title>\(Markup.escape("\(row.name) \(name): \(Figure.milliseconds(value))"))</title></circle>"
            }
        }
        return svg + "</svg>"
    }
}
