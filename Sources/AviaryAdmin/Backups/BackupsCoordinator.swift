import AccountsFeature
import AviaryDesign
import AviaryDomain
import AviaryHTTP
import BackupsFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A coordinator for the snapshots beside the store.
///
/// Work on snapshots continues after the answer. The pages show its progress.
struct BackupsCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    private var library: any SnapshotLibrary { site.container.snapshots }

    func list(_ context: AdminRequestContext) async throws -> Response {
        let model = try await BackupListViewModel(principal: try context.principal, library: library, at: site.now())
        return try await page(
            BackupListView(model: model, csrf: csrf(context)), title: BackupListView.title, isWorking: model.isWorking,
            context
        )
    }

    func take(_ context: AdminRequestContext) async throws -> Response {
        try await begin(.take, of: nil, context)
        return .seeOther(BackupPaths.all)
    }

    func show(_ context: AdminRequestContext) async throws -> Response {
        let model = try await finding {
            try await BackupViewModel(name: name(context), principal: try context.principal, library: library)
        }
        return try await page(
            BackupView(model: model, csrf: csrf(context)), title: model.file.name, isWorking: model.isWorking, context
        )
    }

    func prove(_ context: AdminRequestContext) async throws -> Response {
        try await begin(.prove, of: name(context), context)
        return .seeOther(BackupPaths.backup(name(context)))
    }

    func inspect(_ context: AdminRequestContext) async throws -> Response {
        try await begin(.inspect, of: name(context), context)
        return .seeOther(BackupPaths.restore(name(context)))
    }

    func askRestore(_ context: AdminRequestContext) async throws -> Response {
        let (model, _) = try await question(context)
        return try await page(model, context)
    }

    func restore(_ context: AdminRequestContext) async throws -> Response {
        let log = try OperationLog(context)
        var (model, owner) = try await question(context)
        let password = context.form.value("current") ?? ""
        let outcome = try await proving {
            try await model.restore(typedName: context.form.value("name") ?? "") {
                switch try await owner.proof(password) {
                case .given: .right
                case .wrong: .wrong
                case .wait(let seconds): .wait(seconds: seconds)
                }
            }
        }
        switch outcome {
        case .begun:
            log.note("a restore was begun", ["file": "\(name(context))"])
            return .seeOther(BackupPaths.all)
        case .refused: return try await page(model, context, status: .unprocessableContent)
        case .busy: return try await page(model, context, status: .conflict)
        case .wait(let seconds):
            var response = try await page(model, context, status: .tooManyRequests)
            response.headers[.retryAfter] = String(seconds)
            return response
        }
    }

    func download(_ context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        let model = try await finding {
            try await BackupViewModel(name: name(context), principal: principal, library: library)
        }
        guard let path = await library.path(of: model.file.name) else { throw Self.noSuchBackup }
        let question = try await StepUp(site: site, pages: pages).question(
            .backup, before: BackupPaths.backup(model.file.name) + "/download",
            cancelPath: BackupPaths.backup(model.file.name), at: .backups, context: context)
        if let question { return question }
        guard let place = site.downloads.take(for: principal.account) else { throw Self.tooManyAtOnce }
        let event = AuditEvent(
            .export, at: site.now(), account: principal.name, address: context.clientName, subject: model.file.name
        )
        // An export that the audit log cannot record does not take place.
        try await mappingWriteErrors {
            try await site.container.accounts.note(event, by: principal.name)
        }
        do {
            return try FileDownload(
                path: path, name: model.file.name, place: place,
                isGood: isGood(principal)
            ).response
        } catch {
            throw Self.noSuchBackup
        }
    }

    func upload(_ context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        guard principal.may(.backups) else { throw AccessError.forbidden }
        guard let upload = context.upload else { throw PageError.malformedForm }
        try await beginning {
            try await BackupListViewModel.receive(
                ofSize: upload.size, principal: principal, library: library, isGood: isGood(principal)
            ) {
                try await upload.nextPart()
            }
        }
        return .seeOther(BackupPaths.all)
    }

    private func begin(_ task: SnapshotJob.Task, of file: String?, _ context: AdminRequestContext) async throws {
        let principal = try context.principal
        try await beginning {
            try await BackupListViewModel.begin(
                task, of: file, principal: principal, library: library, isGood: isGood(principal))
        }
    }

    /// Returns a function that checks whether the account is still permitted. Work on a backup continues after the
    /// answer.
    private func isGood(_ principal: Principal) -> @Sendable () async throws -> Bool {
        let accounts = site.container.accounts
        return { try await accounts.isGood(principal) }
    }

    private func beginning(_ begin: () async throws -> Void) async throws {
        try await finding {
            do {
                try await begin()
            } catch SnapshotLibraryError.busy {
                throw PageError(
                    status: .conflict, title: localized("Another backup task is running"),
                    text: localized("Nothing was started. Try again when the other task has finished."),
                    backTitle: localized("Show progress"), backPath: BackupPaths.all
                )
            } catch SnapshotLibraryError.unwritable {
                throw PageError(
                    status: .init(code: 507, reasonPhrase: "Insufficient Storage"),
                    title: localized("Can’t write to the backup folder"),
                    text: localized(
                        "Nothing was started or kept. Ask the administrator to check the disk and the folder’s permissions."
                    ),
                    backTitle: localized("Show all backups"), backPath: BackupPaths.all
                )
            }
        }
    }

    private func question(_ context: AdminRequestContext) async throws -> (RestoreViewModel, AccountOwner) {
        let principal = try context.principal
        guard principal.may(.backups) else { throw AccessError.forbidden }
        let owner = try await mappingReadErrors {
            try await AccountOwner(
                principal: principal, session: context.session.token.id, successor: SecretToken().id,
                accounts: site.container.accounts,
                passwords: site.passwords, attemptID: site.attemptID, at: site.now()
            )
        }
        let model = try await finding {
            try await RestoreViewModel(
                name: name(context), principal: principal, library: library, isPasswordAsked: owner.isPasswordAsked,
                at: site.now(), isGood: isGood(principal))
        }
        return (model, owner)
    }

    private func name(_ context: AdminRequestContext) -> String {
        context.parameters.get("name")?.removingPercentEncoding ?? ""
    }

    private func csrf(_ context: AdminRequestContext) -> String { site.tokens.token(for: context.session) }

    private func finding<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value {
        do {
            return try await read()
        } catch SnapshotLibraryError.noSuchFile {
            throw Self.noSuchBackup
        }
    }

    /// Runs an operation that checks a password. A store that does not respond cannot count an attempt, so the
    /// server accepts none.
    private func proving<Value: Sendable>(_ prove: () async throws -> Value) async throws -> Value {
        do {
            return try await prove()
        } catch let error as SnapshotLibraryError {
            throw error == .noSuchFile ? Self.noSuchBackup : PageError.unreadable
        } catch {
            throw PageError.unreadable
        }
    }

    // These errors are computed for each request, because their texts are in the language of the user.
    private static var tooManyAtOnce: PageError {
        PageError(
            status: .tooManyRequests, title: localized("Other exports are still running"),
            text: localized("Nothing was exported. Try again when the other exports have finished."),
            backTitle: localized("Show all backups"), backPath: BackupPaths.all, retryAfter: 30
        )
    }

    private static var noSuchBackup: PageError {
        PageError(
            status: .notFound, title: localized("This backup doesn’t exist"),
            text: localized("The backup was removed, or the address is wrong."),
            backTitle: localized("Show all backups"), backPath: BackupPaths.all
        )
    }

    private func page(
        _ model: RestoreViewModel, _ context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let schema = site.schema
        let view = RestoreView(model: model, csrf: csrf(context)) { schema.model($0)?.pluralTitle ?? $0 }
        return try await page(view, title: RestoreView.title, isWorking: model.isWorking, context, status: status)
    }

    private func page(
        _ view: some Component, title: String, isWorking: Bool, _ context: AdminRequestContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        pages.page(
            title: title, at: .backups, principal: try context.principal, csrf: csrf(context), status: status
        ) { $0.render(view) }.autoRefreshing(while: isWorking)
    }
}

/// The routes for the snapshots beside the store.
struct BackupRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func add(to router: Router<AdminRequestContext>) {
        let backups = BackupsCoordinator(site: site, pages: pages)
        router.get("/admin/backups") { _, context in try await backups.list(context) }
        router.post("/admin/backups") { _, context in try await backups.take(context) }
        router.post("/admin/backups/upload") { _, context in try await backups.upload(context) }
        router.get("/admin/backups/:name") { _, context in try await backups.show(context) }
        router.get("/admin/backups/:name/download") { _, context in try await backups.download(context) }
        // The form contains the password that the server has asked for.
        router.post("/admin/backups/:name/download") { _, context in try await backups.download(context) }
        router.post("/admin/backups/:name/prove") { _, context in try await backups.prove(context) }
        router.post("/admin/backups/:name/inspect") { _, context in try await backups.inspect(context) }
        router.get("/admin/backups/:name/restore") { _, context in try await backups.askRestore(context) }
        router.post("/admin/backups/:name/restore") { _, context in try await backups.restore(context) }
    }
}
