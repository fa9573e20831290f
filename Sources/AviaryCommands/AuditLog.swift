import AviaryAdmin
import AviaryDomain
import Foundation

/// The audit log of a data directory's store, in which commands record exports and replacements of its contents.
struct AuditLog {
    let app: AppDefinition
    let location: StoreLocation

    /// Records an event through the server that runs on the directory, or else as the owner of the store.
    ///
    /// The command has finished its work by then. If the event cannot be stored, the command prints a warning and
    /// still succeeds.
    func record(_ kind: AuditEvent.Kind, about subject: String?) async {
        do {
            try await store(AuditEvent(kind, at: Date(), account: CommandAuthor.name, subject: subject))
        } catch {
            Terminal.printLine("Warning: the audit log has no entry for this \(kind.rawValue): \(error)")
        }
    }

    private func store(_ event: AuditEvent) async throws {
        // Opening a store migrates its file to the program's models, which a single event does not justify.
        guard try DependencyContainer.migrationReport(of: app, at: location).change == .none else {
            throw OtherModelsError()
        }
        try await DependencyContainer.attached(to: location, of: app) { container in
            _ = try await container.writer.submit(ChangeSet(author: CommandAuthor.name, changes: [event.insertion]))
        }
    }
}

private struct OtherModelsError: Error, CustomStringConvertible {
    let description =
        "The store's file belongs to another version of the program. Run migrate, or start the server, to migrate it."
}
