import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Databases that a store does not use", .onlyPostgreSQL)
struct UnsuitableDatabaseTests {
    private let hosts: Hosts

    init() throws {
        hosts = try Hosts(.lists())
    }

    /// Opens a store, and returns the sentence of the error.
    private func refusal(_ address: String) throws -> String {
        let directory = TemporaryDirectory()
        let engine = PostgreSQLEngine(
            address: try PostgreSQLAddress(address), directory: directory.path, schema: hosts.name)
        let data = try DataDirectory(path: directory.path)
        do {
            _ = try Store(directory: data, schema: hosts.schema, sortIndexes: [], engine: engine)
        } catch {
            return "\(error)"
        }
        Issue.record("the store was opened")
        return ""
    }

    private func address(user: String = "aviary", database: String = "postgres", host: String? = nil) -> String {
        "postgresql://\(user)@/\(database)?host=\(host ?? hosts.server)"
    }

    /// Indicates whether the database has the schema of the store.
    private func hasSchema() throws -> Bool {
        try hosts.numbers("SELECT count(*) FROM pg_namespace WHERE nspname = '\(hosts.name)'") != [0]
    }

    @Test("A server that is older than version 14 is named")
    func version() throws {
        let proxy = try DatabaseProxy(server: hosts.server)
        proxy.pretend(version: "13.4")
        #expect(
            try refusal(address(host: proxy.directory)).contains("is PostgreSQL 13. Version 14 or newer is needed."))
        #expect(try !hasSchema())
    }

    @Test("A database with another encoding is named")
    func encoding() throws {
        let name = hosts.name + "_latin1"
        try hosts.run(
            "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'"
        )
        #expect(try refusal(address(database: name)).contains("the database has the encoding LATIN1"))
        try hosts.run("DROP DATABASE \(name)")
    }

    @Test("A schema of another application stays as it is")
    func foreignSchema() throws {
        try hosts.run("CREATE SCHEMA \(hosts.name)")
        try hosts.run("CREATE TABLE \(hosts.name).booking (id integer)")
        #expect(try refusal(address()).contains("is not a store of this library"))
        #expect(
            try hosts.numbers("SELECT count(*) FROM pg_class WHERE relnamespace = '\(hosts.name)'::regnamespace") == [1]
        )
    }

    @Test("A role that may create nothing is told so")
    func permission() throws {
        let role = hosts.name + "_guest"
        try hosts.run("CREATE ROLE \(role) LOGIN")
        #expect(try refusal(address(user: role)).contains("permission denied"))
        #expect(try !hasSchema())
        try hosts.run("DROP ROLE \(role)")
    }

    @Test("A role without a free connection is told so")
    func connectionLimit() throws {
        let role = hosts.name + "_limited"
        try hosts.run("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0")
        #expect(try refusal(address(user: role)).contains("too many connections"))
        try hosts.run("DROP ROLE \(role)")
    }

    @Test("A database that does not exist, and a server that does not, are named")
    func missing() throws {
        #expect(try refusal(address(database: "nowhere")).contains("database \"nowhere\" does not exist"))
        #expect(try refusal(address(host: "/tmp/no-server-here")).contains("/tmp/no-server-here"))
    }

    @Test("An address with a password, or of another kind, is refused without repeating it")
    func addresses() {
        for address in ["postgresql://aviary:secret@/zoo", "mysql://secret/zoo", "postgresql://%zz:secret"] {
            let error = #expect(throws: StoreOpenError.self) { try PostgreSQLAddress(address) }
            #expect(error.map { "\($0)".contains("secret") } == false, "\(address)")
        }
    }
}
