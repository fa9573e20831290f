import AviaryDomain
import Foundation

/// Submits one step after the other; a step that was not answered for certain is submitted again.
struct Caller {
    enum End {
        case done
        case storeFailed
        /// The store refused what is right.
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
            // A read that was cut short looks like damage, and fails one change. The store goes on, the driver begins again.
            case .failure(.damaged): return .storeFailed
            case .failure(let error) where error.isForNow: return await tryLate(step)
            case .failure where !step.isRefused: return .wronglyRefused
            case .failure: continue
            }
        }
        return .done
    }

    /// Refused for now only when the store has failed: until then the step is submitted again.
    private func outcome(of step: Plan.Step) async -> Result<Int64, StoreError> {
        while true {
            let result = await submit(step)
            guard case .failure(let error) = result, error.isForNow, !store.hasFailed else { return result }
            try? await Task.sleep(for: .milliseconds(10))  // nobody cancels it
        }
    }

    /// Submits all copies of the step at the same time.
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

    /// Whoever did not hear of the failure goes on asking.
    private func tryLate(_ step: Plan.Step) async -> End {
        ledger.late(step, of: plan.caller)
        _ = await submit(step)
        return .storeFailed
    }
}

extension StoreError {
    /// The same change set can be sent again.
    fileprivate var isForNow: Bool {
        switch self {
        case .unavailable, .unanswered, .busy, .outOfSpace: true
        default: false
        }
    }
}
