/// One thing that a person does in a load test: it is timed as a whole and by its requests, and counted.
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

    /// What it is called in the results.
    public let name: String
    let kind: Kind

    /// An action of the application's own.
    ///
    /// - Parameters:
    ///   - name: of letters, digits and hyphens; other characters become hyphens.
    ///   - body: what the person does, request by request. What it throws is counted as unexpected and fails the run;
    ///     where processes are killed, an answer that did not come does not.
    public init(_ name: String, _ body: @escaping @Sendable (inout LoadVisitor) async throws -> Void) {
        self.name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        kind = .own(body)
    }

    private init(_ action: BuiltInAction) {
        name = action.rawValue
        kind = .builtIn(action)
    }

    /// Looks at one more page of the list: mostly the next; at times a record, a search, a filter or another order.
    public static let browse = LoadAction(.browse)
    /// Looks at the first page of the list, and at nothing else: for comparing with programs that can do no more.
    public static let list = LoadAction(.list)
    /// Opens the empty sheet, fills it in and saves.
    public static let add = LoadAction(.add)
    /// Opens the sheet of an own record, lets a draft be kept of what is typed, and saves.
    public static let edit = LoadAction(.edit)
    /// Deletes an own record, after the question.
    public static let delete = LoadAction(.delete)
    /// Deletes an own record and takes that back.
    public static let deleteUndo = LoadAction(.deleteUndo)
    /// Edits the one record that all edit, and settles the conflicts that come of it.
    public static let conflict = LoadAction(.conflict)
    /// Types something, lets it be kept as a draft, and cancels.
    public static let draft = LoadAction(.draft)
    /// Saves a form that breaks a rule: it must be refused and leave nothing.
    public static let refused = LoadAction(.refused)

    /// All that come with the harness, as `--mix` names them.
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

/// What comes with the harness.
enum BuiltInAction: String, Sendable, CaseIterable {
    case add, browse, list, edit, delete, conflict, draft, refused
    case deleteUndo = "delete-undo"
}
