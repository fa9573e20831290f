/// The way from the programs that run to the one that is on disk now.
struct Deploy: Sendable, Hashable {
    let target: ProgramID
    let begun: Duration
    /// Nil while the program is asked whether its schema fits.
    var rollout: Rollout?
}

/// What is replaced by what, in which order.
struct Rollout: Sendable, Hashable {
    let change: SchemaChangeKind
    /// The program that each place is to have in the end.
    var targets: [Role: ProgramID]
    /// The program that each place had.
    let previous: [Role: ProgramID]
    /// Why it is the way back; nil when it is not.
    var reasonForReturn: String?
    /// The store of the new program was ready once: the file has its schema.
    var storeWasReady = false
    /// Its store takes longer than one should; whoever runs the server was told.
    var isLate = false

    var isReturn: Bool { reasonForReturn != nil }
    /// From here on the old program's store may not open the file any more.
    var hasChangedSchema: Bool { change != .none && storeWasReady }
}

/// What a program would do to the store's schema.
package enum SchemaChangeKind: String, Sendable, Hashable, Codable {
    case none
    /// Processes of the old program can read on.
    case additive
    /// Processes of the old program must have ended first.
    case exclusive
}

/// What a program said when it was asked whether it can take over.
package enum Judgement: Sendable, Hashable {
    case fits(SchemaChangeKind, steps: [String])
    /// It says itself that it cannot.
    case refused(reason: String)
    /// It gave no answer that could be relied on.
    case unusable(reason: String)
}
