/// The actions of the virtual users of a load test, with their weights.
///
/// An application declares its own scenarios in ``LoadTestedApp/loadScenarios``, and `loadtest --scenario NAME` runs them:
///
/// ```swift
/// static var loadScenarios: [LoadScenario] {
///     let overview = LoadAction("overview") { _ = try await $0.get("/admin", step: "page") }
///     return [LoadScenario("morning", [.browse: 8, .edit: 1, overview: 1])]
/// }
/// ```
public struct LoadScenario: Sendable {
    struct Part: Sendable {
        let action: LoadAction
        let weight: Int
    }

    /// The name of the scenario on the command line and in the results.
    public let name: String
    let parts: [Part]

    /// Creates a scenario whose actions are drawn at random by their weights.
    ///
    /// - Parameters:
    ///   - name: The name to type after `--scenario`.
    ///   - weights: The actions and their weights. Actions with a weight of 0 or less are left out.
    public init(_ name: String, _ weights: KeyValuePairs<LoadAction, Int>) {
        self.name = name
        parts = weights.filter { $0.value > 0 }.map { Part(action: $0.key, weight: $0.value) }
    }

    /// A scenario that reads lists: pages, records, searches, filters and orders.
    public static let browse = LoadScenario("browse", [.browse: 1])
    /// A scenario that adds records with their form.
    public static let add = LoadScenario("add", [.add: 1])
    /// A scenario that edits records: the sheet, the draft that the page keeps during input, and Save.
    public static let edit = LoadScenario("edit", [.edit: 1])
    /// A scenario that deletes records and undoes the deletes.
    public static let deleteUndo = LoadScenario("delete-undo", [.deleteUndo: 1])
    /// A scenario in which many users edit one record at the same time.
    public static let conflict = LoadScenario("conflict", [.conflict: 1])
    /// A scenario that mixes all actions.
    public static let mixed = LoadScenario(
        "mixed",
        [
            .add: 25, .browse: 42, .edit: 13, .delete: 6, .deleteUndo: 5, .draft: 6, .refused: 3,
        ])

    /// The scenarios that are part of the harness.
    public static let builtIn: [LoadScenario] = [.browse, .add, .edit, .deleteUndo, .mixed, .conflict]

    /// Returns the scenario with other weights, such as `add=30,browse=70`, and without the actions that the text
    /// does not name.
    ///
    /// - Throws: ``LoadPlanError`` when the text is invalid, names an unknown action, or leaves no action with a
    ///   weight.
    package func weighted(_ text: String) throws(LoadPlanError) -> LoadScenario {
        let known = LoadAction.builtIn + parts.map(\.action).filter(\.isOwn)
        var parts: [Part] = []
        for entry in text.split(separator: ",") {
            let sides = entry.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let weight = Int(sides[1]), (0...10_000).contains(weight),
                let action = known.first(where: { $0.name == sides[0] })
            else {
                throw LoadPlanError(
                    "\"\(entry)\" is no weight. Write ACTION=WEIGHT, separated by commas; the actions are \(known.map(\.name).joined(separator: ", "))."
                )
            }
            if weight > 0 { parts.append(Part(action: action, weight: weight)) }
        }
        guard !parts.isEmpty else {
            throw LoadPlanError("--mix leaves nothing to do. Give at least one action a weight.")
        }
        return LoadScenario(name: name, parts: parts)
    }

    private init(name: String, parts: [Part]) {
        self.name = name
        self.parts = parts
    }

    /// The weights in the format of ``weighted(_:)``.
    var weights: String { parts.map { "\($0.action.name)=\($0.weight)" }.joined(separator: ",") }

    var totalWeight: Int { parts.reduce(0) { $0 + $1.weight } }

    /// The action for a number drawn from `0..<totalWeight`.
    func action(_ drawn: Int) -> LoadAction {
        var rest = drawn
        for part in parts {
            if rest < part.weight { return part.action }
            rest -= part.weight
        }
        return .browse
    }

    /// Indicates whether the scenario only reads records. Such a scenario needs no permission to add records.
    var isReadOnly: Bool { parts.allSatisfy(\.action.isBrowsing) }

    var hasConflicts: Bool {
        parts.contains { if case .builtIn(.conflict) = $0.action.kind { true } else { false } }
    }
}

/// An action of a virtual user in a load test.
///
/// The harness counts it, and measures the time of the whole action and of each request.
///
/// ```swift
/// LoadAction("overview") { visitor in
///     let page = try await visitor.get("/admin", step: "page")
///     if page.status != 200 { visitor.report("The overview was answered with status \(page.status).") }
/// }
/// ```
public struct LoadAction: Sendable {
    enum Kind: Sendable {
        case builtIn(BuiltInAction)
        case own(@Sendable (inout LoadVisitor) async throws -> Void)
    }

    /// The name of the action in the results.
    public let name: String
    let kind: Kind

    /// Creates an action of the application's own.
    ///
    /// - Parameters:
    ///   - name: The name, made of ASCII letters, digits and hyphens. Other characters become hyphens.
    ///   - body: The requests of the action. An error that it throws is counted as unexpected and fails the run, except
    ///     for a missing answer in a run that kills processes.
    public init(_ name: String, _ body: @escaping @Sendable (inout LoadVisitor) async throws -> Void) {
        self.name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        kind = .own(body)
    }

    private init(_ action: BuiltInAction) {
        name = action.rawValue
        kind = .builtIn(action)
    }

    /// An action that opens one more page of the list: mostly the next page, at times a record, a search, a filter or
    /// another order.
    public static let browse = LoadAction(.browse)
    /// An action that opens the first page of the list and nothing else, for comparison with programs that can do no
    /// more.
    public static let list = LoadAction(.list)
    /// An action that opens the empty sheet, fills it in and saves it.
    public static let add = LoadAction(.add)
    /// An action that opens the sheet of an own record, lets the page keep a draft of the input, and saves.
    public static let edit = LoadAction(.edit)
    /// An action that deletes an own record and confirms the question.
    public static let delete = LoadAction(.delete)
    /// An action that deletes an own record and undoes the delete.
    public static let deleteUndo = LoadAction(.deleteUndo)
    /// An action that edits the one record that all users edit, and resolves the conflicts.
    public static let conflict = LoadAction(.conflict)
    /// An action that types into a form, lets the page keep a draft, and cancels.
    public static let draft = LoadAction(.draft)
    /// An action that saves a form that violates a rule. The server must reject it and store nothing.
    public static let refused = LoadAction(.refused)

    /// The actions of the harness, under the names that `--mix` accepts.
    static let builtIn: [LoadAction] = [.browse, .list, .add, .edit, .delete, .deleteUndo, .conflict, .draft, .refused]

    var isBrowsing: Bool {
        switch kind {
        case .builtIn(.browse), .builtIn(.list): true
        default: false
        }
    }

    var isOwn: Bool {
        if case .own = kind { true } else { false }
    }
}

/// An action of the harness.
enum BuiltInAction: String, Sendable, CaseIterable {
    case add, browse, list, edit, delete, conflict, draft, refused
    case deleteUndo = "delete-undo"
}
