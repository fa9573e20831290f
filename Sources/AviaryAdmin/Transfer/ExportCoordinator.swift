import AviaryDomain
import AviaryHTTP
import BrowseFeature
import Foundation
import Hummingbird
import Logging

/// The coordinator of exports, which return the contents of a list as a file.
struct ExportCoordinator: Sendable {
    let site: AdminSite
    let lists: ListCoordinator

    /// The number of exports of one account in an hour.
    ///
    /// Each one takes time of the store's readers and space on the disk.
    static let mostExportsInHour = 120

    func export(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        guard principal.may(.view, model.schema.name) else { throw AccessError.hidden }
        guard let format = ExportFormat(rawValue: context.query.value("format") ?? ExportFormat.csv.rawValue) else {
            throw PageError.unreadableAddress("format").leading(to: model)
        }
        // The model's configuration is already limited to what the principal may see, so no address filters or
        // sorts by hidden data.
        var query = try lists.query(context.query.filter { $0.name != "format" }, of: model)
            .exported(for: model.configuration)
        query.leavingOut = principal.hiddenProperties(of: model.schema)
        let exports = try await mappingReadErrors {
            try await site.container.accounts.exports(by: principal.name, before: site.now())
        }
        guard exports < Self.mostExportsInHour else { throw Self.tooMany(model) }
        guard let place = site.downloads.take(for: principal.account) else { throw Self.tooManyAtOnce(model) }
        let file = try await file(of: model, query, as: format, context)
        let event = AuditEvent(
            .export, at: site.now(), account: principal.name, address: context.clientName, subject: model.schema.name)
        // Writing the file may have taken long, so the account is checked again.
        guard try await mappingReadErrors({ try await site.container.accounts.isGood(principal) }) else {
            throw AccessError.forbidden
        }
        // Every export is recorded in the audit log, or fails.
        try await mappingWriteErrors {
            try await site.container.accounts.note(event, by: principal.name)
        }
        let day = site.now().rfc3339?.prefix(10) ?? ""
        // The file stays open from here on. Its name is removed when the file value is released.
        return try FileDownload(
            path: file.path, name: "\(model.schema.slug)-\(day).\(format.rawValue)", type: format.mediaType,
            place: place,
            isGood: { [accounts = site.container.accounts] in try await accounts.isGood(principal) }
        ).response
    }

    private static func tooManyAtOnce(_ model: AdminModel) -> PageError {
        PageError(
            status: .tooManyRequests, title: localized("Other exports are still running"),
            text: localized("Nothing was exported. Try again when the other exports have finished."),
            backTitle: localized("Show all \(model.schema.pluralName)"), backPath: model.paths.list, retryAfter: 30
        )
    }

    private static func tooMany(_ model: AdminModel) -> PageError {
        PageError(
            status: .tooManyRequests, title: localized("Too many exports"),
            text: localized(
                "An account can export \(mostExportsInHour) times in one hour. Nothing was exported. Try again later."),
            backTitle: localized("Show all \(model.schema.pluralName)"), backPath: model.paths.list, retryAfter: 600
        )
    }

    private func file(
        of model: AdminModel, _ query: ExportQuery, as format: ExportFormat, _ context: AdminRequestContext
    )
        async throws -> TemporaryFile
    {
        do {
            return try await site.container.listExport.file(
                of: model.schema, query, as: format)
        } catch ListExportError.unwritable(let reason) {
            context.logger.warning("an export cannot be written", metadata: ["reason": "\(reason)"])
            throw PageError(
                status: .init(code: 507, reasonPhrase: "Insufficient Storage"),
                title: localized("The file can’t be saved"),
                text: localized("Nothing was exported. Ask the administrator to check the disk."),
                backTitle: localized("Show all \(model.schema.pluralName)"), backPath: model.paths.list
            )
        } catch let error as ReadError where error.code == .tookTooLong {
            throw PageError(
                status: .serviceUnavailable, title: localized("This takes too long"),
                text: localized("Filter the list, or ask the administrator to run the export command."),
                backTitle: localized("Show all \(model.schema.pluralName)"), backPath: model.paths.list
            )
        }
    }
}

extension ExportFormat {
    fileprivate var mediaType: String {
        switch self {
        // The type of CSV is from RFC 4180; that of JSON Lines is the one that most programs accept.
        case .csv: "text/csv; charset=utf-8; header=present"
        case .jsonl: "application/jsonl; charset=utf-8"
        }
    }
}
