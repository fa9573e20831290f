/// What one client process does, as another may be told it.
struct CrewPlan: Sendable, Codable {
    let origin: String
    /// Of the session in which everybody is.
    let cookies: CookieJar
    /// The scenario's name and weights: the process that is told them has the same program.
    let scenario: String
    let weights: String
    let listPath: String
    var connections: Int
    /// Actions a second of this crew; nil for a closed loop.
    var rate: Double?
    /// When people begin, and when what they do begins to count.
    var begin: ContinuousClock.Instant
    var start: ContinuousClock.Instant
    let duration: Duration
    /// Of this crew; see ``LoadPlan/leastActions``.
    var leastActions: Int
    let expectsInterruptions: Bool
    /// A backup will be held against what is entered.
    let keepsTimes: Bool
    /// The record that all edit.
    let shared: String?
    /// Part of every title.
    var name: String

    /// The same work for several processes, each a part of it.
    func split(into count: Int) -> [CrewPlan] {
        (0..<count).map { index in
            var part = self
            part.connections = connections / count + (index < connections % count ? 1 : 0)
            part.leastActions = leastActions / count + (index < leastActions % count ? 1 : 0)
            part.rate = rate.map { $0 / Double(count) }
            part.name = "\(name)\(index)"
            // Between the others' turns, not all at once, and within the time that there is.
            if let rate { part.start = start + min(.seconds(Double(index) / rate), duration * index / count) }
            return part
        }
    }
}

/// What a crew found.
struct CrewResult: Sendable, Codable {
    var measurements: Measurements
    let entries: LedgerEntries
    let incidents: ViolationList
    var unsent: Int
    var processorSeconds: Double
}
