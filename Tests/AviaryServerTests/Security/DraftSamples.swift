import AviaryDomain
import Foundation

@testable import AviaryServer

let morning = Date(timeIntervalSince1970: 1_700_000_000)

/// A draft as a test needs it.
func draft(
    id: UUID = .version7(), record: UUID = .version7(), user: String = "ada", version: Int64? = nil,
    text: String = "Okapi", savedAt: Date = morning
) -> Draft {
    Draft(
        id: id, record: record, model: "Animal", version: version, sequence: 1, user: user, restoreEpoch: "e",
        schemaFingerprint: "f", savedAt: savedAt, expiresAt: savedAt.addingTimeInterval(7 * 24 * 3600),
        fields: [FormField(name: "name", value: text)]
    )
}

/// A key ring of its own.
func keyRing() throws -> KeyRing {
    let directory = try TestDirectory()
    return try KeyRing(directory: directory.path("keys"))
}
