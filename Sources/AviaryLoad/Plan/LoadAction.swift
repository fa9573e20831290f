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
