package import AviaryDesign
package import AviaryDomain
import Foundation

/// The view model of events other than changes of records, such as sign-ins and exports. It is for users who manage
/// accounts.
package struct EventsViewModel: Sendable {
    package let query: ActivityQuery
    let principal: Principal
    let accounts: AccountRepository
    private let cursor: FetchCursor?
    private(set) var events: [AuditEvent]?
    private(set) var next: FetchCursor?
    package private(set) var errorMessage: String?

    private static let pageSize = 50

    /// Creates the view model.
    ///
    /// - Parameter cursor: The position where the previous page ended.
    /// - Throws: ``AccessError``.
    package init(
        query: ActivityQuery, after cursor: FetchCursor?, principal: Principal, accounts: AccountRepository
    ) throws(AccessError) {
        try principal.check(.accounts)
        self.query = query
        self.principal = principal
        self.accounts = accounts
        self.cursor = cursor
    }

    var isFirst: Bool { cursor == nil }

    /// Reads a page of events.
    ///
    /// - Throws: ``ActivityQueryError`` if the cursor belongs to another query.
    package mutating func load() async throws(ActivityQueryError) {
        do {
            let page = try await accounts.fetchEvents(
                of: query.person, time: query.time, after: cursor, size: Self.pageSize)
            events = page.records
            next = page.next
        } catch is QueryError {
            throw ActivityQueryError(name: "after")
        } catch {
            errorMessage = localized("Couldn’t load the events. Try again, or start with the newest.")
        }
    }
}

/// The page of events.
package struct EventsView: Component {
    let model: EventsViewModel
    /// The schema of the models that an event can refer to.
    let schema: Schema

    package init(model: EventsViewModel, schema: Schema) {
        self.model = model
        self.schema = schema
    }

    package static var title: String { localized("Audit log") }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: nil, addTitle: "", addHref: nil))
        html.render(ActivityTabs(current: .events, principal: model.principal))
        html.render(filter)
        let explanation = dayFields.notice(at: ActivityPaths.events)
        if let explanation { html.render(explanation) }
        if let message = model.errorMessage { html.render(Notice(.failure, message)) }
        guard let events = model.events else { return }
        guard !events.isEmpty else {
            if explanation == nil { html.render(empty) }
            return
        }
        html.render(EventTable(rows: events.map(row)))
        html.render(
            PageFooter(
                summary: localized(events.count, one: "1 event", other: "\(events.count) events"),
                previousHref: model.isFirst ? nil : here(nil), previousTitle: localized("Newest"),
                nextHref: model.next.map { here($0.description) }, nextTitle: localized("Older")
            ))
        html.element(
            "p", .class("fine-print"), text: localized("Events are kept for one year, up to 20,000 of each type."))
    }

    private var empty: EmptyState {
        EmptyState(
            title: localized("No results"), text: localized("No matching events in the last year."),
            actionTitle: localized("Clear filters"), actionHref: ActivityPaths.events
        )
    }

    private func here(_ after: String?) -> String {
        let parts = [model.query.text, after.map { "after=" + FormEncoding.escape($0) } ?? ""].filter { !$0.isEmpty }
        return ActivityPaths.events.withQuery(parts.joined(separator: "&"))
    }

    private func row(_ event: AuditEvent) -> EventTable.Row {
        let machine = event.time.rfc3339 ?? ""
        return EventTable.Row(
            time: .init(shown: DateTextFormatter.dateAndTime(machine), machine: machine), what: what(event),
            isAlarming: event.kind == .signInFailed, person: event.account.map(TextFormatter.author),
            address: event.address,
            subject: subject(event)
        )
    }

    private func what(_ event: AuditEvent) -> String {
        guard let count = event.count, count > 1 else { return event.kind.sentence }
        return localized("\(event.kind.sentence), \(count) times in one hour")
    }

    /// Returns the subject of an event. A model's name is replaced by its title.
    private func subject(_ event: AuditEvent) -> String? {
        if let (model, file) = event.importedFile {
            let title = schema.model(model)?.titleName ?? model
            return file.map { localized("\(title), from “\($0)”") } ?? title
        }
        guard event.kind == .export, let name = event.subject else { return event.subject }
        return schema.model(name)?.titleName ?? name
    }

    private var dayFields: ActivityDayFields { ActivityDayFields(query: model.query) }

    private var filter: FilterForm {
        FilterForm(
            action: ActivityPaths.events,
            fields: [
                Field(
                    name: "person", label: localized("Person"),
                    control: .text(value: model.query.person ?? "", maxLength: 100))
            ] + dayFields.fields, isActive: model.query.isFiltered, clearHref: ActivityPaths.events
        )
    }
}

extension AuditEvent.Kind {
    fileprivate var sentence: String {
        switch self {
        case .signIn: localized("Signed in")
        case .signInFailed: localized("Sign-in failed")
        case .signOut: localized("Signed out")
        case .export: localized("Exported records")
        case .backup: localized("Created a backup")
        case .restore: localized("Restored a backup")
        case .keysRotated: localized("Rotated the keys")
        case .upload: localized("Uploaded a backup")
        case .linkMade: localized("Created a sign-in link")
        case .linkUsed: localized("Used their sign-in link")
        case .passwordSetByLink: localized("Changed the password with their sign-in link")
        case .passwordSet: localized("Changed the password of another account")
        case .secondFactorReset: localized("Removed two-factor authentication of another account")
        case .refused: localized("Permission denied")
        case .recordImport: localized("Imported records")
        case .recordUpdate: localized("Changed many records")
        case .recordDelete: localized("Deleted many records")
        }
    }
}
