extension LoadRun {
    private static let rest = Duration.milliseconds(500)

    /// Raises the rate until the server takes no more, or lowers it until the server takes it, then narrows the gap between the
    /// highest that it took and the lowest that it did not. Where the client came too late itself, more of it try again.
    func ramp(to limit: LimitPlan, processes: Int, shared: String?) async throws -> Ramp {
        var ramp = Ramp(limit: limit)
        var (rate, processes) = (plan.rate ?? 1, processes)
        // Each try has a name of its own, and so have the records of each.
        for attempt in 0..<LimitPlan.mostSteps {
            let outcome = try await part(rate: rate, processes: processes, shared: shared, name: "s\(attempt)-").run()
            try Task.checkCancellation()
            if plan.processes == nil, let more = outcome.client.moreProcesses(most: plan.mostProcesses) {
                processes = more
                progress(
                    .message(
                        "At \(Figure.text(rate)) a second the client came late to what was due: again, from \(processes) processes."
                    ))
            } else {
                let step = RampStep(rate: rate, outcome: outcome, limit: limit)
                ramp.add(step, outcome)
                progress(.message(step.text))
                guard let next = ramp.nextRate else { break }
                rate = next
            }
            // What is still under way is no part of the next step.
            try await Task.sleep(for: Self.rest)
        }
        return ramp
    }
}
