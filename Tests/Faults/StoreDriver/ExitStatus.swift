/// How a run ended, for the tests.
enum ExitStatus: Int32 {
    /// The store said that it can promise nothing any more.
    case storeFailed = 70
    case cannotOpen
    case noLedger
}
