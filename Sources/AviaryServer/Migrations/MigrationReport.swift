import AviaryDomain

/// What a store needs to fit a program's models, for people and for the supervisor that asks the program before it starts it.
struct MigrationReport: Encodable, Sendable {
    let change: SchemaDifference.Kind
    let steps: [String]
    /// Why it is refused; nil when it is not.
    let reason: String?
    /// A sentence about names that were to be given up, and are nothing that would be lost; nil when all are.
    let mistake: String?

    private enum CodingKeys: CodingKey {
        case change, steps, reason
    }

    /// - Parameters:
    ///   - unknown: Names that were to be given up, and are nothing that would be lost.
    ///   - droppable: What can be given up.
    init(
        change: SchemaDifference.Kind, steps: [String], reasons: [String], unknown: Set<String> = [],
        droppable: Set<String> = []
    ) {
        self.change = change
        self.steps = steps
        mistake =
            unknown.isEmpty
            ? nil
            : "--drop \(Words.list(unknown.sorted())): nothing of this name would be lost. "
                + (droppable.isEmpty
                    ? "Nothing has to be given up."
                    : "What can be given up: \(droppable.sorted().joined(separator: ", ")).")
        reason = reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }

    var text: String {
        let list = steps.map { "  - \($0)\n" }.joined()
        return switch change {
        case .none: "The store fits the program's models: there is nothing to do."
        case .additive: "Would:\n\(list)Workers of the old program read on meanwhile. Nothing was changed."
        case .exclusive:
            "Would:\n\(list)Workers of the old program must end first; a server sees to that. Nothing was changed."
        case .refused:
            "The store cannot be made to fit the program's models:\n"
                + (reason ?? "").split(separator: "\n").map { "  - \($0)\n" }.joined() + "Nothing was changed."
        }
    }
}
