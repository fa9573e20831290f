import Foundation
import Testing

@Suite("Failures at launch")
struct StartTests {
    @Test("A port in use is reported with the flag to change")
    func portInUse() async throws {
        let (server, directory) = (try await Server.start(), try TestDirectory())
        let run = try await Program.run([
            "serve", "--in-process", "--port", "\(server.port)", "--data", directory.path("data"),
        ])
        expectFailure(run, "Port \(server.port) on 127.0.0.1 is in use. Choose another one with --port")
        #expect(try await Browser(server).get("/healthz").status == 200)
        await server.kill()
    }

    @Test("A metrics port in use is reported with its own flag, and equal ports are wrong usage")
    func metricsPortInUse() async throws {
        let (server, directory) = (try await Server.start(), try TestDirectory())
        let data = directory.path("data")
        let run = try await Program.run([
            "serve", "--in-process", "--port", "0", "--metrics-port", "\(server.port)", "--data", data,
        ])
        expectFailure(run, "Port \(server.port) on 127.0.0.1 is in use. Choose another one with --metrics-port")
        await server.kill()
        let same = try await Program.run([
            "serve", "--in-process", "--port", "9464", "--metrics-port", "9464", "--data", data,
        ])
        #expect(same.exitCode == 2)
        #expect(same.errors.contains("--metrics-port and --port are both 9464."))
    }

    @Test("A data directory in use is reported with its process, which continues undisturbed")
    func directoryInUse() async throws {
        let server = try await Server.start()
        let run = try await Program.run(["serve", "--in-process", "--port", "0", "--data", server.data])
        expectFailure(run, "is in use by process \(server.program.processID) (zoo).")
        try await Browser(server).addAnimal("Undisturbed")
        await server.kill()
    }

    @Test("A server can use the data directory of a killed server")
    func leftBehind() async throws {
        let server = try await Server.start()
        await server.kill()
        let again = try await Server.start(in: server.directory)
        #expect(await again.stop() == 0)
    }

    @Test("A data directory that cannot be created is reported with its path")
    func impossibleDirectory() async throws {
        let directory = try TestDirectory()
        let file = try directory.file("file", [])
        for path in [file, file + "/data"] {
            let run = try await Program.run(["serve", "--in-process", "--port", "0", "--data", path])
            expectFailure(run, path)
            #expect(run.errors.contains("--data"))
        }
    }

    @Test("The data directory and everything in it are private to their user")
    func permissions() async throws {
        let server = try await Server.start()
        try await Browser(server).addAnimal("Private")
        let files = FileManager.default
        #expect(try files.attributesOfItem(atPath: server.data)[.posixPermissions] as? Int == 0o700)
        for path in try files.subpathsOfDirectory(atPath: server.data) {
            let permissions = try files.attributesOfItem(atPath: server.data + "/" + path)[.posixPermissions] as? Int
            #expect((permissions ?? 0o777) & 0o077 == 0, "\(path)")
        }
        await server.kill()
    }

    @Test("A server without a readable key does not start")
    func damagedKey() async throws {
        let server = try await Server.start()
        await server.kill()
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: server.data + "/keys").first)
        try Data([1, 2, 3]).write(to: URL(filePath: server.data + "/keys/" + name))
        let run = try await Program.run(["serve", "--in-process", "--port", "0", "--data", server.data])
        expectFailure(run, name)
    }

    @Test("An empty environment variable counts as unset")
    func emptyVariables() async throws {
        let server = try await Server.start(environment: ["AVIARY_HOST": "", "AVIARY_DATA": "", "AVIARY_PORT": ""])
        #expect(await server.stop() == 0)
    }

    @Test("A data directory that others can write to is served with a warning")
    func openDirectory() async throws {
        let directory = try TestDirectory()
        try FileManager.default.createDirectory(atPath: directory.path("data"), withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path("data"))
        let server = try await Server.start(in: directory)
        #expect(try server.errors().contains("other users can write to the data directory"))
        #expect(await server.stop() == 0)
    }

    @Test(
        "An invalid listening address is wrong usage", arguments: ["example.org", "", "127.0.0.256", "1.2.3", "[::1]"])
    func noAddress(host: String) async throws {
        let directory = try TestDirectory()
        let run = try await Program.run([
            "serve", "--in-process", "--host", host, "--port", "0", "--data", directory.path("data"),
        ])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("is no address to listen on"))
        #expect(run.output == "")
    }

    @Test(
        "A public address is rejected with every danger of the deployment",
        arguments: ["0.0.0.0", "::", "192.0.2.1"])
    func publicAddress(host: String) async throws {
        let directory = try TestDirectory()
        let run = try await Program.run([
            "serve", "--in-process", "--host", host, "--port", "0", "--data", directory.path("data"),
        ])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("There are no accounts"))
        #expect(run.errors.contains("--public-url"))
        #expect(run.output == "")
    }

    @Test("A public address is rejected while others can read the data directory")
    func openToOthers() async throws {
        let directory = try TestDirectory()
        let data = directory.path("data")
        _ = try await Program.run(["user", "add", "ada", "--role", "admin", "--link", "--data", data])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
        let run = try await Program.run([
            "serve", "--host", "192.0.2.1", "--public-url", "https://zoo.example.org", "--data", data,
        ])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains(data) && !run.errors.contains("There are no accounts"))
    }

    private func expectFailure(_ run: Program.Run, _ words: String) {
        #expect(run.exitCode == 1)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.output == "")
        // The error is a sentence and not a printed value of the program.
        #expect(!run.errors.contains("Error(") && !run.errors.contains("Fatal"))
    }
}

@Suite("Probes and healthy startup", .server)
struct HealthTests {
    @Test("Probes answer 200", arguments: [("/healthz", "ok\n"), ("/readyz", "ready\n")])
    func up(path: String, text: String) async throws {
        let answer = try await Browser(try .shared).get(path)
        #expect(answer.status == 200)
        #expect(answer.body == text)
        #expect(answer.contentType == "text/plain; charset=utf-8")
        #expect(answer.header("Cache-Control") == ["no-store"])
    }

    @Test("A healthy start logs nothing")
    func quiet() async throws {
        _ = try await Browser(try .shared).get("/admin")
        #expect(try Server.shared.errors() == "")
    }
}
