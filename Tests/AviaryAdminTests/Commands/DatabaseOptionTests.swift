import AviaryAdmin
import Foundation
import Testing

@Suite("The database of a store")
struct DatabaseOptionTests {
    @Test("An address with a password is refused with the way to give it, and the password is not repeated")
    func refusesPasswords() async throws {
        let run = try await Program.run(["status", "--database", "postgresql://aviary:purple@db.example.org/zoo"])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("--database: The address of the database contains a password"))
        #expect(run.errors.contains("AVIARY_DATABASE_PASSWORD_FILE"))
        #expect(!run.errors.contains("purple"))
    }

    @Test(
        "The setting is the source of an error if it is the variable",
        arguments: ["mysql://db/zoo", "postgresql://db/zoo?colour=red"])
    func namesTheVariable(address: String) async throws {
        let run = try await Program.run(["status"], environment: ["AVIARY_DATABASE": address])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("AVIARY_DATABASE: The address of the database"))
    }

    @Test("A password that everybody may read is refused")
    func refusesOpenFiles() async throws {
        let directory = try TestDirectory()
        let file = directory.path("password")
        try Data("purple".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let run = try await Program.run(
            ["status", "--database", "postgresql://aviary@db.example.org/zoo"],
            environment: ["AVIARY_DATABASE_PASSWORD_FILE": file])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("chmod o= \(file)"))
    }

    @Test("A server that nobody reaches is an error of one line with its address, and nothing is created")
    func reportsMissingServers() async throws {
        let directory = try TestDirectory()
        let run = try await Program.run([
            "export", "Animal", "--database", "postgresql://aviary@127.0.0.1:1/zoo", "--data", directory.path("data"),
        ])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("127.0.0.1"))
    }

    @Test("A repair is refused, because a database has no file of a store")
    func refusesRepair() async throws {
        let run = try await Program.run(["repair", "--database", "postgresql://aviary@127.0.0.1:1/zoo"])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("check --contents"))
    }
}

@Suite("The parts of a database's address")
struct DatabaseAddressTests {
    @Test("Hosts, name and settings are those of the address")
    func parses() {
        let address = DatabaseAddress(
            "postgresql://aviary@db1:5433,db2/zo%6F?target_session_attrs=read-write&sslmode=verify-full")
        #expect(address.hosts == ["db1:5433", "db2"])
        #expect(address.name == "zoo")
        #expect(address.verifiesServer && !address.isLocal)
    }

    @Test(
        "A Unix socket and a loopback address are local",
        arguments: [
            "postgresql:///zoo", "postgresql://%2Frun%2Fpostgresql/zoo", "postgresql:///zoo?host=/run/postgresql",
            "postgresql://localhost/zoo", "postgresql://127.0.0.1:5433/zoo", "postgresql://[::1]:5433/zoo",
        ])
    func isLocal(text: String) {
        #expect(DatabaseAddress(text).isLocal)
    }

    @Test(
        "One host that is elsewhere makes an address remote",
        arguments: [
            "postgresql://db/zoo", "postgresql://localhost,db/zoo", "postgresql:///zoo?host=/run/postgresql,db",
        ])
    func isRemote(text: String) {
        #expect(!DatabaseAddress(text).isLocal)
    }
}
