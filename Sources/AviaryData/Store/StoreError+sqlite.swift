import AviaryDomain
import CSQLite

extension StoreError {
    /// What the submitter is told when its change set failed alone.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError where [SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH].contains(error.code):
            // Sending it again would fail again.
            self = .malformed(error.reason)
        case let error as SQLiteError where error.code == SQLITE_FULL: self = .outOfSpace
        case let error as SQLiteError: self = .unavailable(error.reason)
        default: self = .unavailable("\(error)")
        }
    }
}

extension StoreError {
    /// What every submitter of a batch is told when its COMMIT failed.
    init(failedCommit error: any Error) {
        guard let error = error as? SQLiteError else {
            self = .unavailable("\(error)")
            return
        }
        self = error.code == SQLITE_FULL ? .outOfSpace : .unavailable(error.reason)
    }
}

extension Connection {
    var transactionLost: SQLiteError {
        SQLiteError(extendedCode: SQLITE_ABORT, operation: "transaction")
    }
}
