import AviaryDomain

/// The way from one schema to the next, as a part of a ``Migration``: found by comparing, and what the program does
/// itself.
struct MigrationStep: Sendable {
    /// `1.0.0 to 2.0.0`; nil without a plan.
    let name: String?
    let difference: SchemaDifference
    /// The tables before the step, for the program's own part; nil without a plan.
    let before: ModelTables?
    let tables: ModelTables
    let stage: MigrationStage?
    /// The numbers of links of the removed relations, by their names; known before the first step.
    var linkCounts: [String: Int] = [:]

    var links: LinkChanges { LinkChanges(difference, to: tables) }

    /// The steps in words.
    var steps: [String] {
        var steps = difference.steps + links.steps(linkCounts)
        if let stage, stage.willMigrate != nil || stage.didMigrate != nil {
            steps.append("do what the program's migration plan says")
        }
        return steps.map { prefix + $0 }
    }

    var refusals: [String] {
        difference.refusals.map { prefix + $0 }
    }

    private var prefix: String { name.map { "\($0): " } ?? "" }

    /// A stage that has code of its own may do anything.
    var kind: SchemaDifference.Kind {
        max(difference.kind, stage.map { $0.isCustom ? .exclusive : .none } ?? .none)
    }

    /// Models whose tables are replaced: a column's type and constraints cannot be changed in place.
    var rebuiltModels: Set<String> {
        Set(
            difference.changes.compactMap { change in
                switch change {
                case .becameOptional(let model, _), .widened(let model, _, _, _, .real),
                    .widened(let model, _, _, _, .scaled),
                    .dropped(let model, _?):
                    model
                default: nil
                }
            })
    }

    var conversions: [ModelConversion] {
        let converted = Set(
            difference.changes.compactMap { change in
                if case .converted(_, let model) = change { model } else { nil }
            })
        return stage?.conversions.filter { converted.contains($0.target) } ?? []
    }

    /// A Boolean value that indicates whether the checks of references must wait for the end.
    var replacesTables: Bool {
        !rebuiltModels.isEmpty || links.replacesTables || stage?.isCustom == true
            || difference.changes.contains { change in
                if case .dropped(_, nil) = change { true } else { false }
            }
    }

    /// A Boolean value that indicates whether the history contains values in a form that no longer fits.
    var outdatesHistory: Bool {
        stage?.isCustom == true || links.outdatesHistory
            || difference.changes.contains { change in
                switch change {
                case .renamed, .dropped, .converted, .widened(_, _, _, _, .real), .widened(_, _, _, _, .scaled): true
                default: false
                }
            }
    }
}

extension MigrationStage {
    var isCustom: Bool { !conversions.isEmpty || willMigrate != nil || didMigrate != nil }
}
