package import AviaryDomain

/// A report of the steps that make a store fit a program's models.
///
/// It is for people, and for the supervisor that asks a program before it starts it.
package struct MigrationReport: Encodable, Sendable {
    package let change: SchemaDifference.Kind
    package let steps: [String]
    /// The reason why the migration is refused; nil when it is not.
    package let reason: String?
    /// A sentence about names that were given as droppable and would not be lost; nil when there are none.
    package let mistake: String?

    private enum CodingKeys: CodingKey {
        case change, steps, reason
    }

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - unknown: The names that were given as droppable and would not be lost.
    ///   - droppable: The names that can be dropped.
    ///   - undecided: The names that can be dropped and were not given as droppable. A refusal says how a running
    ///     server drops them.
    ///   - command: The name of the program.
    init(
        change: SchemaDifference.Kind, steps: [String], reasons: [String], unknown: Set<String> = [],
        droppable: Set<String> = [], undecided: Set<String> = [], command: String = ""
    ) {
        self.change = change
        self.steps = steps
        mistake =
            unknown.isEmpty
            ? nil
            : "--drop \(TextFormatter.list(unknown.sorted())): nothing of this name would be lost. "
                + (droppable.isEmpty
                    ? "Nothing has to be given up."
                    : "What can be given up: \(droppable.sorted().joined(separator: ", ")).")
        let advice =
            change == .refused && !undecided.isEmpty ? [Self.advice(dropping: undecided, command: command)] : []
        reason = reasons.isEmpty ? nil : (reasons + advice).joined(separator: "\n")
    }

    /// Returns the ways to give up values, with and without a running server.
    private static func advice(dropping names: Set<String>, command: String) -> String {
        let options = names.sorted().map { "--drop \($0)" }.joined(separator: " ")
        return
            "To give up \(TextFormatter.list(names.sorted())) while a server runs, let its deploy do it: run \(command) migrate "
            + "\(options) --on-deploy with this program, then send SIGHUP again. Or stop the server, and run "
            + "\(command) migrate \(options) before its start."
    }

    package var text: String {
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
