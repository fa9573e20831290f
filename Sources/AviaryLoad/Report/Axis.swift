import Foundation

/// A scale from nothing to a round number, with round ticks.
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

    /// With the unit at the last tick only.
    func label(_ index: Int) -> String {
        let text = Figure.tick(ticks[index])
        return index == ticks.count - 1 ? "\(text) \(unit)" : text
    }
}
