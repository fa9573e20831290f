import AviaryDomain

extension StoreError {
    /// What the submitter is told when its change set failed alone.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        // Sending it again would fail again.
        case let error as EngineError where error.kind == .constraint || error.kind == .unfit:
            self = .malformed(error.reason)
        case let error as EngineError where error.kind == .damage: self = .damaged
        case let error as EngineError where error.kind == .outOfSpace: self = .outOfSpace
        case let error as EngineError: self = .unavailable(error.reason)
        default: self = .unavailable(error.redactedText)
        }
    }
}

extension StoreError {
    /// What every submitter of a batch is told when its COMMIT failed.
    init(failedCommit error: any Error) {
        guard let error = error as? EngineError else {
            self = .unavailable(error.redactedText)
            return
        }
        self =
            switch error.kind {
            case .outOfSpace: .outOfSpace
            case .damage: .damaged
            default: .unavailable(error.reason)
            }
    }
}
