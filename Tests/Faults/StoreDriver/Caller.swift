import AviaryDomain
import Foundation

/// A caller that submits one step after the other, and submits a step again until its outcome is certain.
struct Caller {
    enum End {
        case done
        case storeFailed
        /// The store rejected a valid change set.
        case wronglyRefused
    }

    var plan: Plan
    let store: OpenStore
    let ledger: Ledger
    let copies: Int
    let bug: Bug?

    mutating func run(steps: Int) async -> End {
        for _ in 0..<steps {
            let step = plan.next()
            ledger.attempt(step, of: plan.caller)
            if bug == .acknowledgeEarly, !step.isRefused {
                ledger.acknowledged(step, of: plan.caller, commit: nil, isRepeat: false)
            }
            switch await outcome(of: step) {
            case .success(let commit): plan.succeed(step, commit: commit)
            // A read error looks like damage and fails one change. The store continues, and the driver starts
            // again.
            case .failure(.damaged): return .storeFailed
            case .failure(let error) where error.isForNow: return await tryLate(step)
            case .failure where !step.isRefused: return .wronglyRefused
            case .failure: continue
            }
        }
        return .done
    }

    /// Returns the outcome of a step. A temporary error is the outcome only if the store has failed; until then the
    /// step is submitted again.
    private func outcome(of step: Plan.Step) async -> Result<Int64, StoreError> {
        while true {
            let result = await submit(step)
            guard case .failure(let error) = result, error.isForNow, !store.hasFailed else { return result }
            try? await Task.sleep(for: .milliseconds(10))  // nobody cancels it
        }
    }

    /// Submits all copies of a step concurrently.
    private func submit(_ step: Plan.Step) async -> Result<Int64, StoreError> {
        await withTaskGroup(of: Result<Int64, StoreError>.self) { group in
            for _ in 0..<copies {
                group.addTask { [self] in await submitOne(step) }
            }
            var result: Result<Int64, StoreError> = .failure(.unanswered)
            for await answer in group {
                if case .success = result { continue }
                result = answer
            }
            return result
        }
    }

    private func submitOne(_ step: Plan.Step) async -> Result<Int64, StoreError> {
        do throws(StoreError) {
            let receipt = try await store.submit(step.changeSet)
            if bug != .acknowledgeEarly {
                ledger.acknowledged(step, of: plan.caller, commit: receipt.commit, isRepeat: receipt.isRepeat)
            }
            return .success(receipt.commit)
        } catch {
            if error.isForNow || error == .damaged {
                ledger.unavailable(step, of: plan.caller, error.description)
            } else {
                ledger.refused(step, of: plan.caller, error.description)
            }
            return .failure(error)
        }
    }

    /// Submits the step once more, like a caller that has not noticed the failure of the store.
    private func tryLate(_ step: Plan.Step) async -> End {
        ledger.late(step, of: plan.caller)
        _ = await submit(step)
        return .storeFailed
    }
}

extension StoreError {
    /// Indicates whether the same change set can be submitted again.
    fileprivate var isForNow: Bool {
        switch reason {
        case .unavailable, .unanswered, .busy, .outOfSpace: true
        default: false
        }
    }
}
