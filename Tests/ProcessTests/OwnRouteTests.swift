import AviaryLoad
import Foundation
import NIOCore
import Testing

extension ServedApplications {
    @Suite("Custom routes")
    struct OwnRouteTests {
        @Test("A route gets its path and query parameters and answers with security headers")
        func get() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                let answer = try await browser.get("/greetings/Ada%20L?from=Bob&from=Eve")
                #expect(answer.status == 200)
                #expect(answer.source == "Hello, Ada L, Eve and 2.")
                #expect(answer.header("Content-Security-Policy").first?.contains("default-src 'none'") == true)
                #expect(answer.header("Cache-Control") == ["no-store"])
                #expect(try await browser.get("/greetings").status == 404)
                #expect(try await browser.get("/greetings/a/b").status == 404)
                #expect(try await browser.get("/refused").status == 418)
            }
        }

        @Test("A form needs the session's token, and JSON needs a same-origin request")
        func forgery() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                let token = try await browser.get("/form").source
                let form = Form(["food": "hay"])
                #expect(try await browser.post("/form", form).status == 403)
                let answer = try await browser.post("/form", form.with("csrf", token))
                #expect(answer.status == 200 && answer.source == "local: hay")
                let json = ByteBuffer(string: #"{"food":"hay","amount":2}"#)
                let type = ["Content-Type": "application/json"]
                let order = try await browser.send("POST", "/orders", headers: type, body: json)
                #expect(order.status == 201 && order.source == #"{"amount":4,"food":"hay"}"#)
                #expect(try await browser.send("DELETE", "/orders/7", body: nil).status == 204)
                for headers in [
                    ["Content-Type": "text/plain"], type.merging(["Origin": "https://example.org"]) { $1 },
                    type.merging(["Sec-Fetch-Site": "cross-site"]) { $1 },
                ] {
                    let status = try await browser.send("POST", "/orders", headers: headers, body: json).status
                    #expect(status == 403 || status == 400, "\(headers)")
                }
                #expect(
                    try await browser.send("POST", "/orders", headers: type, body: ByteBuffer(string: "{")).status
                        == 400)
                // The admin's own routes accept no JSON, however their path is written.
                for path in ["/admin/animals", "//admin/animals", "/%61dmin/animals"] {
                    let status = try await browser.send("POST", path, headers: type, body: json).status
                    #expect((400..<500).contains(status), "\(path): \(status)")
                }
                #expect(try StoreFile(server.directory).animals().isEmpty)
            }
        }

        @Test("A route reads and writes the store with its rules and hooks")
        func store() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                func post(_ json: String) async throws -> Answer {
                    try await browser.send(
                        "POST", "/animals", headers: ["Content-Type": "application/json"],
                        body: ByteBuffer(string: json))
                }
                let added = try await post(#"{"name":"  Okapi"}"#)
                #expect(added.status == 201)
                #expect(try await browser.get("/animals/\(added.source)").source == "Okapi")
                #expect(try await browser.rows(named: "Okapi") == 1)
                #expect(try await browser.get("/animals/\(UUID())").status == 404)
                #expect(try await browser.get("/animals/nothing").status == 404)
                #expect(try await post(#"{"name":"Dodo"}"#).status == 422)
                #expect(try await post(#"{"name":""}"#).status == 422)
                #expect(try StoreFile(server.directory).animals() == [added.source: "Okapi"])
            }
        }

        @Test("A route's error becomes a page without its text, and a redirect cannot leave the server")
        func errors() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                let broken = try await browser.get("/broken")
                #expect(broken.status == 500)
                #expect(!broken.body.contains("secret value"))
                #expect(try await browser.get("/elsewhere?to=/admin/animals").location == "/admin/animals")
                for target in ["https://example.org", "//example.org", "/%5Cexample.org", "/a%0D%0ASet-Cookie:x=1"] {
                    let answer = try await browser.get("/elsewhere?to=\(target)")
                    #expect(answer.status == 500 && answer.location == nil, "\(target)")
                }
            }
        }

        @Test("A route that traps ends only its worker, which is replaced")
        func trap() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                try await browser.addAnimal("Okapi")
                let before = try await server.complete()
                for worker in before.workers {
                    // Backtraces are disabled, because clients would wait while the runtime inspects a dead
                    // process.
                    #expect(try ProcessTable.environment(of: worker.pid).contains("SWIFT_BACKTRACE=enable=no"))
                }
                for round in 1...2 {
                    await #expect(throws: HTTPClientError.connectionClosed) { try await browser.get("/trap") }
                    // Any worker that accepts the connection can answer.
                    #expect(try await browser.get("/trap?index=1").source == "2")
                    #expect(try await browser.rows(named: "Okapi") == 1)
                    let after = try await server.complete(restarts: round)
                    #expect(after.store == before.store && after.supervisor == before.supervisor)
                    #expect(after.workers.map(\.restarts).reduce(0, +) == round)
                }
                try await browser.addAnimal("Afterwards")
                #expect(try await browser.rows(named: "Afterwards") == 1)
            }
        }
    }
}

extension ServedApplications {
    @Suite("Custom commands")
    struct OwnCommandTests {
        @Test("A command runs by its name and appears in the help, and its wrong usage exits with 2")
        func runs() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.extendedZoo.run(["greet", "Ada", "--data", directory.data], in: directory)
                #expect(run.exitCode == 0 && run.output == "Hello, Ada, from \(directory.data).\n")
                #expect(try await Program.extendedZoo.run(["--help"], in: directory).output.contains("greet"))
                #expect(try await Program.extendedZoo.run(["greet"], in: directory).exitCode == 2)
            }
        }

        @Test("Help and errors have the name under which the program was started, and not that of its type")
        func programName() async throws {
            try await TestDirectory.use { directory in
                let help = try await Program.extendedZoo.run(["--help"], in: directory)
                #expect(help.output.contains("USAGE: ExtendedZoo <subcommand>"), "\(help.output)")
                let export = try await Program.extendedZoo.run(["export", "--help"], in: directory)
                #expect(export.output.contains("ExtendedZoo export Animal --output animals.csv"), "\(export.output)")
                let path = directory.path("typo")
                let refused = try await Program.extendedZoo.run(["welcome", "Kea", "--data", path], in: directory)
                #expect(refused.errors.contains("ExtendedZoo: \(path): there is no store yet."), "\(refused.errors)")
            }
        }

        @Test("A command refuses a directory without a store as an export does, and creates nothing")
        func mistyped() async throws {
            try await TestDirectory.use { directory in
                let typo = directory.path("typo"), empty = directory.path("empty")
                try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
                for path in [typo, empty] {
                    let run = try await Program.extendedZoo.run(["welcome", "Kea", "--data", path], in: directory)
                    let export = try await Program.extendedZoo.run(["export", "Animal", "--data", path], in: directory)
                    #expect(run.exitCode == 1 && run.output.isEmpty)
                    #expect(run.errors.contains("\(path): there is no store yet."), "\(run.errors)")
                    for errors in [run.errors, export.errors] {
                        #expect(errors.contains("there is no store yet. Start the store first."), "\(errors)")
                    }
                }
                #expect(!FileManager.default.fileExists(atPath: typo))
                #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
            }
        }

        @Test("A command can use the store with and without a server")
        func store() async throws {
            try await Server.use(.extendedZoo) { server in
                func welcome(_ name: String) async throws -> Program.Run {
                    try await Program.extendedZoo.run(
                        ["welcome", name, "--data", server.directory.data], in: server.directory)
                }
                #expect(try await welcome(" Kea ").output == "1\n")
                #expect(try await Browser(server).rows(named: "Kea") == 1)
                let refused = try await welcome("Dodo")
                #expect(refused.exitCode == 1 && refused.errors.contains("extinct"), "\(refused.errors)")
                #expect(await server.stop() == 0)
                #expect(try await welcome("Okapi").output == "2\n")
                #expect(try StoreFile(server.directory).animals().values.sorted() == ["Kea", "Okapi"])
            }
        }
    }
}
