package import AviaryDomain
package import Foundation

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

/// The models, properties and relations that the next deploy may drop, with all their values.
///
/// `migrate --drop NAME --on-deploy` writes them beside a running server, and both the question to the new program and
/// its store read them. They apply for an hour, so that a forgotten permission drops nothing later.
package struct ApprovedDrops: Codable, Sendable, Hashable {
    /// The time for which the permission applies, in seconds.
    static let lifetime: TimeInterval = 3600

    let names: Set<String>
    let approvedAt: Date

    /// Returns the path of the file in a data directory.
    package static func path(in directory: String) -> String { directory + "/drop-on-deploy.json" }

    /// Returns the names that a deploy may drop now; none when there is no permission, or only an old one.
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - now: The current time.
    package static func names(in directory: String, at now: Date = Date()) -> Set<String> {
        guard let data = FileManager.default.contents(atPath: path(in: directory)),
            // Without a readable permission nothing is dropped.
            let drops = try? JSONDecoder().decode(ApprovedDrops.self, from: data),
            (0...lifetime).contains(now.timeIntervalSince(drops.approvedAt))
        else { return [] }
        return drops.names
    }

    /// Permits the next deploy to drop the names. An earlier permission is replaced.
    ///
    /// - Throws: `CocoaError` when the file cannot be written.
    package static func approve(_ names: Set<String>, in directory: String, at now: Date = Date()) throws {
        let path = path(in: directory), temporary = path + ".new"
        unlink(temporary)
        let data = try JSONEncoder().encode(ApprovedDrops(names: names, approvedAt: now))
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Withdraws the permission, if there is one.
    package static func withdraw(in directory: String) {
        unlink(path(in: directory))
    }
}
