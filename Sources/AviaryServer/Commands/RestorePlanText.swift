import AviaryDomain

/// What a restore would change, for a terminal.
struct RestorePlanText {
    let text: String

    /// - Parameter isDone: Whether nobody is asked any more.
    init(_ plan: RestorePlan, schema: Schema, isDone: Bool) {
        var lines = [
            "\(isDone ? "Restoring" : "Would restore") \(plan.snapshot.words(schema)), from \(plan.snapshot.createdAt)."
        ]
        for model in plan.models {
            let name = schema.model(model.name)?.pluralTitle ?? model.name
            let now = model.now.map { "\(Words.grouped($0)) now, " } ?? ""
            lines.append("  \(name): \(now)\(Words.grouped(model.then)) then")
        }
        if !plan.steps.isEmpty {
            lines.append("Its records are of an older program. To bring them to the models of this one:")
            lines += plan.steps.map { "  " + $0 }
        }
        if !plan.accounts.isEmpty {
            lines.append("Accounts:")
            lines += plan.accounts.map { "  \($0.words)" }
        }
        if plan.models.contains(where: { $0.now != nil }) {
            lines.append(
                plan.snapshot.log?.entries == nil
                    ? "The history of changes is not in it: Activity starts anew, and nothing from before can be undone."
                    : "The history of changes is in it: Activity goes on from there."
            )
        }
        // Each by itself: none may look like two.
        text = lines.map(\.printable).joined(separator: "\n")
    }
}
