import AviaryDomain

/// How far a store is with the care of its file. Used by the store alone.
final class StoreCare {
    static let pauseBetweenAnalyses: Duration = .seconds(86_400)
    static let pauseBetweenExpirations: Duration = .seconds(600)

    let checker: FileChecker
    let timer = CareTimer()
    var nextExpiration: ContinuousClock.Instant?
    var nextAnalysis: ContinuousClock.Instant?
    var dueAnalyses: [String] = []
    /// Those whose indexes were made anew, or could not be.
    var rebuiltTables: Set<String> = []
    /// Whether the words of texts are being made anew for a batch that is done again.
    var isRebuildingWords = false
    /// Whether one of them cannot be read itself.
    var hasUnreadableTable = false
    /// Begun when many pages are free, and done until few are.
    var isGivingBack = false

    /// - Parameters:
    ///   - connection: The store's, which finds out here whether the store before it was closed.
    ///   - onFileCheck: Called when a check begins and with what it found.
    init(
        _ directory: DataDirectory, engine: any StoreEngine, connection: any Connection,
        onFileCheck: @escaping @Sendable (FileCheck) -> Void
    ) throws {
        checker = FileChecker(directory, engine: engine, onResult: onFileCheck)
        let wasClosed = try !OpenMark.isSet(in: connection)
        if wasClosed { try OpenMark.set(in: connection) } else { checker.start() }
    }
}
