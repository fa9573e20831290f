package import Foundation

/// The number of recent failed sign-ins of one account name or one address. It is stored, so that all workers share the
/// count and a restart keeps it.
package struct SignInAttempts: Model {
    package static let modelName = "aviary_attempts"

    /// Made from what is counted; a name that somebody typed does not stand in the file.
    package var id: RecordID<SignInAttempts>
    /// Failures in a row.
    package var failures: Int
    package var lastFailureAt: Date

    package static let schema = ModelSchema(
        SignInAttempts.self,
        [
            PropertyDefinition(\.failures, "failures"),
            PropertyDefinition(\.lastFailureAt, "lastFailureAt", attributes: [.indexed]),
        ]
    ).snapshots(.nothing)

    package init(id: RecordID<SignInAttempts>, failures: Int, lastFailureAt: Date) {
        self.id = id
        self.failures = failures
        self.lastFailureAt = lastFailureAt
    }

    package init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        failures = try reader.next("failures")
        lastFailureAt = try reader.next("lastFailureAt")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(failures)
        writer.bind(lastFailureAt)
    }
}
