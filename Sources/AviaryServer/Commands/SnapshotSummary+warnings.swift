import AviaryDomain

extension SnapshotSummary {
    /// More would be a list that nobody reads.
    private static var mostWarnings: Int { 20 }

    /// What does not stand against a restore, and should be known before one.
    var warnings: [String] {
        let unknown = unknownRoles ?? []
        // Each by itself: none may look like two.
        let told = unknown.prefix(Self.mostWarnings).map {
            "\($0.account) has the role \($0.role), which the program does not have: it allows nothing.".printable
        }
        return switch unknown.count - told.count {
        case 0: told
        case 1: told + ["1 more account has a role that the program does not have."]
        case let more: told + ["\(Words.grouped(more)) more accounts have roles that the program does not have."]
        }
    }
}

extension Terminal {
    static func warn(_ warnings: [String]) {
        for warning in warnings { say("Warning: " + warning) }
    }
}
