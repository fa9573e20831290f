/// A route, with the status that each person gets there.
struct AccessRow: Sendable, CustomStringConvertible {
    /// The route as the router has it.
    let route: String
    /// The path, with placeholders.
    ///
    /// `animal` stands for the id of an existing record, `new` for the id of one that does not exist, and `draft`
    /// for the id of a new draft. `version` stands for the record's version, in a field and at the end of a path.
    let path: String
    /// The form's fields, without the token.
    let fields: KeyValuePairs<String, String>
    /// The status that each person gets; for a form, the status with the right proof.
    let nobody: Int, viewer: Int, editor: Int, admin: Int

    init(
        _ route: String, _ path: String? = nil, _ fields: KeyValuePairs<String, String> = [:],
        nobody: Int = 303, viewer: Int, editor: Int, admin: Int
    ) {
        self.route = route
        self.path = path ?? String(route.split(separator: " ").last ?? "")
        self.fields = fields
        self.nobody = nobody
        self.viewer = viewer
        self.editor = editor
        self.admin = admin
    }

    var method: String { String(route.split(separator: " ").first ?? "") }
    var description: String { route }

    func status(for person: Person) -> Int {
        switch person {
        // A session of a disabled account counts as none.
        case .nobody, .disabled: nobody
        case .viewer: viewer
        case .editor: editor
        case .admin: admin
        }
    }
}

extension AccessRow {
    private static let form: KeyValuePairs = [
        "id": "new", "draft": "draft", "version": "", "name": "Tapir", "diet": "herbivorous",
    ]

    /// The routes of the admin. A route without a row here fails the test.
    static let table: [AccessRow] = [
        AccessRow("GET /", viewer: 303, editor: 303, admin: 303),
        AccessRow(
            "GET /assets/{version}/{name}", "/assets/x/aviary.css", nobody: 200, viewer: 200, editor: 200, admin: 200),
        AccessRow("GET /healthz", nobody: 200, viewer: 200, editor: 200, admin: 200),
        AccessRow("GET /readyz", nobody: 200, viewer: 200, editor: 200, admin: 200),
        // The link is wrong, so nobody is signed in.
        AccessRow("GET /login", nobody: 200, viewer: 303, editor: 303, admin: 303),
        AccessRow(
            "POST /login", nil, ["link": "AAAAAAAAAAAAAAAAAAAAAA"], nobody: 410, viewer: 410, editor: 410, admin: 410),
        AccessRow("POST /language", nil, ["language": "de"], nobody: 303, viewer: 303, editor: 303, admin: 303),
        AccessRow("POST /logout", viewer: 303, editor: 303, admin: 303),

        AccessRow("GET /admin", viewer: 200, editor: 200, admin: 200),
        AccessRow("GET /admin/{model}", "/admin/animals", viewer: 200, editor: 200, admin: 200),
        AccessRow("POST /admin/{model}", "/admin/animals", form, viewer: 403, editor: 303, admin: 303),
        AccessRow("GET /admin/{model}/new", "/admin/animals/new", viewer: 403, editor: 200, admin: 200),
        AccessRow("GET /admin/{model}/choices", "/admin/animals/choices?q=a", viewer: 200, editor: 200, admin: 200),
        AccessRow("POST /admin/{model}/draft", "/admin/animals/draft", form, viewer: 403, editor: 303, admin: 303),
        AccessRow(
            "POST /admin/{model}/draft/discard", "/admin/animals/draft/discard", ["draft": "draft"], viewer: 403,
            editor: 303, admin: 303),
        // The form has no draft.
        AccessRow(
            "POST /admin/{model}/draft/reopen", "/admin/animals/draft/reopen", viewer: 403, editor: 400, admin: 400),
        AccessRow("GET /admin/{model}/delete", "/admin/animals/delete?id=animal", viewer: 403, editor: 200, admin: 200),
        AccessRow(
            "POST /admin/{model}/delete", "/admin/animals/delete", ["id": "new"], viewer: 403, editor: 303, admin: 303),
        AccessRow(
            "GET /admin/{model}/batch", "/admin/animals/batch?do=delete&all=1&return=", viewer: 403,
            editor: 200, admin: 200),
        // The name is not that of the model.
        AccessRow(
            "POST /admin/{model}/batch", "/admin/animals/batch",
            ["do": "delete", "all": "1", "return": "q=Subject", "name": "friends"],
            viewer: 403, editor: 422, admin: 422
        ),
        AccessRow(
            "POST /admin/{model}/columns", "/admin/animals/columns", ["column": "name"], viewer: 303, editor: 303,
            admin: 303),
        AccessRow(
            "GET /admin/{model}/export", "/admin/animals/export?format=csv", viewer: 200, editor: 200, admin: 200),
        AccessRow("GET /admin/{model}/import", "/admin/animals/import", viewer: 403, editor: 200, admin: 200),
        // The form has no file.
        AccessRow("POST /admin/{model}/import", "/admin/animals/import", viewer: 403, editor: 400, admin: 400),
        AccessRow(
            "GET /admin/{model}/import/{file}", "/admin/animals/import/none", viewer: 403, editor: 404, admin: 404),
        AccessRow(
            "POST /admin/{model}/import/{file}", "/admin/animals/import/none", viewer: 403, editor: 404, admin: 404),
        AccessRow("GET /admin/{model}/{id}", "/admin/animals/animal", viewer: 200, editor: 200, admin: 200),
        AccessRow(
            "POST /admin/{model}/{id}", "/admin/animals/animal",
            ["id": "animal", "draft": "draft", "version": "version", "name": "Tapir", "diet": "herbivorous"],
            viewer: 403, editor: 303, admin: 303
        ),

        AccessRow("GET /admin/activity", viewer: 403, editor: 200, admin: 200),
        // The form names no change.
        AccessRow("POST /admin/activity/stop", viewer: 403, editor: 400, admin: 400),
        AccessRow("GET /admin/activity/events", viewer: 403, editor: 403, admin: 200),
        AccessRow("GET /admin/activity/{commit}", "/admin/activity/version", viewer: 403, editor: 200, admin: 200),
        // The number of the commit that created the animal is the animal's version.
        AccessRow("POST /admin/undo/{commit}", "/admin/undo/version", viewer: 403, editor: 303, admin: 303),

        AccessRow("GET /admin/account", viewer: 200, editor: 200, admin: 200),
        AccessRow("GET /admin/account/password", viewer: 200, editor: 200, admin: 200),
        AccessRow("POST /admin/account/password", viewer: 422, editor: 422, admin: 422),
        AccessRow("GET /admin/account/second-factor", viewer: 200, editor: 200, admin: 200),
        AccessRow("POST /admin/account/second-factor", viewer: 422, editor: 422, admin: 422),
        AccessRow("GET /admin/account/second-factor/remove", viewer: 303, editor: 303, admin: 303),
        AccessRow("POST /admin/account/second-factor/remove", viewer: 303, editor: 303, admin: 303),
        AccessRow("GET /admin/account/recovery-codes", viewer: 303, editor: 303, admin: 303),
        AccessRow("POST /admin/account/recovery-codes", viewer: 303, editor: 303, admin: 303),
        AccessRow("POST /admin/account/sessions/end", nil, ["session": "new"], viewer: 303, editor: 303, admin: 303),

        AccessRow("GET /admin/backups", viewer: 403, editor: 403, admin: 200),
        // If an operation is running already, the page shows it.
        AccessRow("POST /admin/backups", viewer: 403, editor: 403, admin: 303),
        // The form has no file.
        AccessRow("POST /admin/backups/upload", viewer: 403, editor: 403, admin: 400),
        AccessRow("GET /admin/backups/{name}", "/admin/backups/none.jsonl.gz", viewer: 403, editor: 403, admin: 404),
        AccessRow(
            "GET /admin/backups/{name}/download", "/admin/backups/none.jsonl.gz/download", viewer: 403, editor: 403,
            admin: 404),
        AccessRow(
            "POST /admin/backups/{name}/download", "/admin/backups/none.jsonl.gz/download", viewer: 403, editor: 403,
            admin: 404),
        AccessRow(
            "POST /admin/backups/{name}/prove", "/admin/backups/none.jsonl.gz/prove", viewer: 403, editor: 403,
            admin: 404),
        AccessRow(
            "POST /admin/backups/{name}/inspect", "/admin/backups/none.jsonl.gz/inspect", viewer: 403, editor: 403,
            admin: 404),
        AccessRow(
            "GET /admin/backups/{name}/restore", "/admin/backups/none.jsonl.gz/restore", viewer: 403, editor: 403,
            admin: 404),
        AccessRow(
            "POST /admin/backups/{name}/restore", "/admin/backups/none.jsonl.gz/restore", viewer: 403, editor: 403,
            admin: 404),

        AccessRow("GET /admin/accounts", viewer: 403, editor: 403, admin: 200),
        AccessRow(
            "POST /admin/accounts", nil, ["name": "not a name", "role": "viewer"], viewer: 403, editor: 403, admin: 422),
        AccessRow("GET /admin/accounts/new", viewer: 403, editor: 403, admin: 200),
        AccessRow("GET /admin/accounts/{name}", "/admin/accounts/viewer", viewer: 403, editor: 403, admin: 200),
        AccessRow(
            "POST /admin/accounts/{name}", "/admin/accounts/viewer", ["action": "enable"], viewer: 403, editor: 403,
            admin: 303),
    ]
}
