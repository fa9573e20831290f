import Foundation

/// An SVG plot of values over seconds or over another growing quantity.
struct LinePlot: Sendable {
    struct Line: Sendable {
        let name: String
        /// The number of the line's colour class: `line-0`, `line-1` and so on in the style sheet.
        let style: Int
        let points: [(x: Double, y: Double)]
        /// Indicates whether each point is drawn as a dot, for a few points that are separate measurements.
        var hasDots = false
    }

    let title: String
    let unit: String
    let lines: [Line]
    /// The times of the kills, which the plot marks.
    let marks: [Double]
    /// The end of the horizontal axis, and the unit of the axis.
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

    /// The labels come after the lines, so that no line covers a number.
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
                "<text x=\"\(x(tick))\" y=\"\(Markup.number(Self.height - 12))\" text-anchor=\"\(anchor)\">\(Markup.escape(NumberFormat.tick(tick)))\(isLast ? " " + Markup.escape(endUnit) : "")</text>"
        }.joined()
    }

    private var kills: String {
        marks.filter { $0 <= span }.map { mark in
            "<path class=\"kill\" d=\"M\(x(mark)) \(Markup.number(Self.top))V\(Markup.number(Self.height - Self.bottom))\"><title>Kill at \(Markup.escape(NumberFormat.seconds(mark)))</title></path>"
        }.joined()
    }

    private func drawing(_ line: Line, _ axis: Axis) -> String {
        let points = line.points.map { "\(x($0.x)) \(Markup.number(y($0.y, in: axis)))" }
        var svg =
            "<path class=\"line line-\(line.style)\" d=\"M\(points.joined(separator: "L"))\"><title>\(Markup.escape(line.name))</title></path>"
        guard line.hasDots else { return svg }
        for point in line.points {
            svg +=
                "<circle class=\"dot-\(line.style)\" cx=\"\(x(point.x))\" cy=\"\(Markup.number(y(point.y, in: axis)))\" r=\"3.5\"><title>\(Markup.escape("\(line.name): \(NumberFormat.text(point.y)) \(unit) at \(NumberFormat.text(point.x)) \(endUnit)"))</title></circle>"
        }
        return svg
    }
}

/// A scale from zero to a round number, with round ticks.
struct Axis: Sendable {
    let ticks: [Double]
    let unit: String

    var end: Double { ticks.last ?? 1 }

    init(upTo value: Double, unit: String, wantedTicks: Int = 4) {
        let value = value > 0 && value.isFinite ? value : 1
        let rough = value / Double(wantedTicks)
        let magnitude = pow(10, floor(log10(rough)))
        let step = [1, 2, 2.5, 5, 10].map { $0 * magnitude }.first { $0 >= rough * 0.999 } ?? rough
        let count = Int((value / step * 0.999).rounded(.up))
        ticks = (0...max(1, count)).map { Double($0) * step }
        self.unit = unit
    }

    /// Returns the label of a tick. The last tick includes the unit.
    func label(_ index: Int) -> String {
        let text = NumberFormat.tick(ticks[index])
        return index == ticks.count - 1 ? "\(text) \(unit)" : text
    }
}

/// An SVG plot of the percentiles of each operation on a logarithmic scale, with a row for each operation and a dot
/// for each percentile.
struct PercentilePlot: Sendable {
    let rows: [(name: String, summary: LatencySummary)]

    private static let (width, rowHeight) = (880.0, 28.0)
    private static let (left, right, top, bottom) = (130.0, 24.0, 12.0, 30.0)

    /// The range of powers of ten, in milliseconds, that contains all values.
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
                ? NumberFormat.decimal(pow(10, Double(decade)), digits: -decade)
                : NumberFormat.grouped(Int(pow(10, Double(decade))))
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
                    "<circle class=\"dot-\(style)\" cx=\"\(Markup.number(x(value)))\" cy=\"\(y)\" r=\"4.5\"><title>\(Markup.escape("\(row.name) \(name): \(NumberFormat.milliseconds(value))"))</title></circle>"
            }
        }
        return svg + "</svg>"
    }
}

/// Functions that generate HTML and SVG. All data passes through ``escape(_:)``.
enum Markup {
    /// Escapes text for use in text and in quoted attributes.
    ///
    /// The function works on Unicode scalars, so a combining mark cannot hide a quote.
    static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            // Control characters are not allowed in HTML.
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    static func number(_ value: Double) -> String {
        NumberFormat.decimal(value, digits: 1)
    }
}
