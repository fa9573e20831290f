/// How a run goes, for whoever waits for it.
package enum LoadProgress: Sendable {
    /// Something has begun or was found out.
    case message(String)
    /// Some twice a second, for a line that is written again and again.
    case live(LiveFigures)
}

/// How it goes right now.
package struct LiveFigures: Sendable {
    /// Of this part of the run, 0 to 1.
    package let share: Double
    let seconds: Double
    let requestsPerSecond: Double
    /// Of actions that ended since the line before, in milliseconds; nil where none did.
    let p99: Double?
    let errors: Int
    /// Client processes, all of which the figures are of.
    let processes: Int

    private static let width = 20

    /// A line of at most 78 characters.
    package var text: String {
        let filled = Int((min(1, max(0, share)) * Double(Self.width)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let latency = p99.map { "p99 \(Figure.milliseconds($0))" } ?? "no answers"
        let errors = errors == 0 ? "no errors" : "\(Figure.grouped(errors)) errors"
        return "\(bar) \(Figure.text(seconds)) s  \(Figure.text(requestsPerSecond))/s  \(latency)  \(errors)"
            + (processes > 1 ? "  (\(processes) clients)" : "")
    }
}
