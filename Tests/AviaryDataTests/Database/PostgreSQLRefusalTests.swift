import Testing

@testable import AviaryData

@Suite("PostgreSQL: refused connections")
struct PostgreSQLRefusalTests {
    private static func error(_ message: String) throws -> EngineError {
        PostgreSQLRefusal.error(message, connectingTo: try PostgreSQLAddress("postgresql://aviary@db/zoo"))
    }

    @Test(
        "A refusal that lasts has a code and names the remedy",
        arguments: [
            ("FATAL:  password authentication failed for user \"aviary\"", "28P01", "AVIARY_DATABASE_PASSWORD_FILE"),
            ("connection to server at \"db\" failed: fe_sendauth: no password supplied", "28P01", "~/.pgpass"),
            ("FATAL:  role \"aviary\" does not exist", "28000", "create the role"),
            ("FATAL:  role \"aviary\" is not permitted to log in", "28000", "role"),
            ("FATAL:  database \"zoo\" does not exist", "3D000", "create it"),
            (
                "FATAL:  no pg_hba.conf entry for host \"192.0.2.1\", user \"aviary\", database \"zoo\", no encryption",
                "28000", "pg_hba.conf"
            ),
        ])
    func lasting(message: String, code: String, remedy: String) throws {
        let error = try Self.error(message)
        #expect(error.isRefusal && error.code == "PostgreSQL code \(code)" && error.kind == .cannotOpen)
        #expect(error.description.contains(remedy) && error.description.contains(message.dropFirst(8)))
    }

    @Test(
        "A server that is away, full or starting may answer later",
        arguments: [
            "connection to server at \"db\" (192.0.2.1), port 5432 failed: Connection refused Is the server running?",
            "FATAL:  the database system is starting up", "FATAL:  too many connections for role \"aviary\"",
            "FATAL:  too many connections for database \"zoo\"", "could not translate host name \"db\" to address",
            "connection to server at \"db\", port 5432 failed: timeout expired", "FATAL:  etwas Unbekanntes",
        ])
    func passing(message: String) throws {
        let error = try Self.error(message)
        #expect(!error.isRefusal && error.kind == .cannotOpen)
        #expect(!error.description.contains("?.") && !error.description.contains(".."))
    }
}
