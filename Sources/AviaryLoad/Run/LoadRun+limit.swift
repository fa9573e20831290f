extension LoadRun {
    private static let rest = Duration.milliseconds(500)

    /// Raises the rate until the server takes no more, then narrows the gap between the last that it took and the first that
    /// it did not.
    func ramp(to limit: LimitPlan, processes: Int, shared: String?) async throws -> Ramp {
        var ramp = Ramp(limit: limit)
        var rate = plan.rate ?? 1
        while ramp.steps.count < LimitPlan.mostSteps, rate <= LoadPlan.highestRate {
            let outcome = try await part(rate: rate, processes: processes, shared: shared, name: "s\(ramp.steps.count)-").run()
            let step = RampStep(rate: rate, outcome: outcome, limit: limit)
            ramp.add(step, outcome)
            progress(.message(step.text))
            try Task.checkCancellation()
            guard let next = ramp.nextRate else { break }
            rate = next
            // What is still under way is no part of the next step.
            try await Task.sleep(for: Self.rest)
        }
        return ramp
    }
}
