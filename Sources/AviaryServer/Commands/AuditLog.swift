import AviaryDomain
import Foundation

/// Where commands write down what left the store and what replaced it: among the events of a data directory's store.
struct AuditLog {
    let app: AppDefinition
    let dataPath: String

    /// Through the server that runs on the directory, else as the owner of the store. The command has done its work by then:
    /// where its event cannot be stored, that is said, and nothing else follows from it.
    func record(_ kind: AuditEvent.Kind, about subject: String?) async {
        do {
            try await store(AuditEvent(kind, at: Date(), account: CommandAuthor.name, subject: subject))
        } catch {
            Terminal.say("Warning: the audit log does not tell of this \(kind.rawValue): \(error)")
        }
    }

    private func store(_ event: AuditEvent) async throws {
        // Whoever opens a store lets its file fit the program, which is more than an event is worth.
        guard try DependencyContainer.migrationReport(of: app, data: dataPath).change == .none else {
            throw OtherModels()
        }
        try await DependencyContainer.attached(to: dataPath, of: app) { container in
            _ = try await container.writer.submit(ChangeSet(author: CommandAuthor.name, changes: [event.insertion]))
        }
    }
}

private struct OtherModels: Error, CustomStringConvertible {
    let description =
        "The store's file is of another version of the program. Run migrate, or start the server, to let it fit."
}
