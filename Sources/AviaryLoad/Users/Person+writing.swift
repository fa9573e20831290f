extension Person {
    /// What one answer says about a write.
    private enum Verdict {
        case done(location: String?), refused(status: Int), notDone, unknown(String)
    }

    /// Sends a form until its outcome is known. Each time it is the same form, so however often it arrives it counts
    /// once.
    ///
    /// - Parameter refusal: the status of a refusal that is expected.
    mutating func send(
        _ form: Form, for write: Write, as operation: Operation, refusal: Int? = nil
    ) async -> WriteOutcome {
        var location: String?
        return await send(form, for: write, as: operation, refusal: refusal, leadsTo: &location)
    }

    /// - Parameter location: where the answer led.
    mutating func send(
        _ form: Form, for write: Write, as operation: Operation, refusal: Int? = nil, leadsTo location: inout String?
    ) async -> WriteOutcome {
        ledger.begin(write)
        let deadline = ContinuousClock.now + Self.patience
        var mayHaveHappened = false
        var reason = ""
        repeat {
            switch await verdict(form, as: operation) {
            case .done(let place):
                location = place
                if refusal != nil {
                    incidents.add(.unexpected, record: write.record, "A form that breaks a rule was accepted.")
                }
                return settle(write, as: .acknowledged)
            case .refused(let status):
                if status != refusal {
                    incidents.add(
                        .unexpected, record: write.record, "POST \(form.action) was refused with status \(status).")
                }
                // A repeat that is refused says nothing about the first time.
                return settle(write, as: mayHaveHappened ? .unknown : .refused)
            case .notDone:
                reason = "status 503"
            case .unknown(let text):
                reason = text
                mayHaveHappened = true
                ledger.noteUnknown()
            }
            if !expectsInterruptions {
                incidents.add(
                    .unexpected, record: write.record,
                    "POST \(form.action) failed (\(reason)), though nothing was killed.")
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }  // cancelled
            ledger.noteRetry()
        } while ContinuousClock.now < deadline
        incidents.add(
            .unexpected, record: write.record,
            "POST \(form.action) found no end in \(Int(Self.patience.seconds)) s: \(reason).")
        return settle(write, as: mayHaveHappened ? .unknown : .refused)
    }

    private mutating func verdict(_ form: Form, as operation: Operation) async -> Verdict {
        do {
            let answer = try await browser.post(form.fields, to: form.action, as: operation)
            switch answer.outcome {
            case .acknowledged: return .done(location: answer.location)
            case .refused where answer.saysNothingChanged: return .notDone
            case .refused: return .refused(status: answer.status)
            case .unknown: return .unknown("status \(answer.status)")
            }
        } catch {
            return .unknown(error.description)
        }
    }

    private func settle(_ write: Write, as outcome: WriteOutcome) -> WriteOutcome {
        ledger.settle(write, as: outcome)
        return outcome
    }
}
