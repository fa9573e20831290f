import Foundation
import Testing

extension ServedApplications {
    @Suite("Status command")
    struct StatusTests {
        /// The output of `status --json`.
        struct Report: Decodable {
            struct Supervisor: Decodable {
                let pid: pid_t
            }

            struct Process: Decodable {
                let pid: pid_t
                let restarts: Int
                let ready: Bool
                let answers: Bool?
                let commits: Int?
            }

            let supervisor: Supervisor
            let store: Process
            let workers: [Process]
        }

        @Test("The status shows every process with its identifier, restarts and commits, as text and as JSON")
        func named() async throws {
            try await Server.use { server in
                try await Browser(server).addAnimal("Counted")
                let commits = try StoreFile(server.directory).rows("SELECT count(*) FROM aviary_commit").first?.first
                let run = try await server.status("--json")
                #expect(run.exitCode == 0)
                let report = try run.json(Report.self)
                #expect(report.supervisor.pid == server.supervisor)
                #expect(report.workers.count == 2)
                #expect(report.store.commits.map { "\($0)" } == commits)
                #expect(report.store.answers == true)
                let children = [report.store] + report.workers
                #expect(Set(children.map(\.pid)) == Set(ProcessTable.children(of: server.supervisor).map(\.pid)))
                #expect(children.allSatisfy { $0.ready && $0.restarts == 0 })
                let text = try await server.status().output
                for process in children { #expect(text.contains("\(process.pid), 0 restarts")) }
                #expect(text.contains("supervisor  \(server.supervisor)"))
                #expect(text.contains("\(commits ?? "") commits"))
            }
        }

        @Test(
            "Without a server, the status says how to start one and exits with 1", arguments: [[], ["--json"]])
        func nothing(arguments: [String]) async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.zoo.run(["status", "--data", directory.data] + arguments, in: directory)
                #expect(run.exitCode == 1)
                #expect(run.output == "")
                #expect(run.errors.contains("Nothing serves \(directory.data). Start it with: zoo serve"))
            }
        }

        @Test("The status ignores the status file of a killed server")
        func leftBehind() async throws {
            try await Server.use { server in
                server.program.send(SIGKILL)
                _ = await server.program.exitCode
                #expect(server.family != nil)
                let run = try await server.run("status")
                #expect(run.exitCode == 1)
            }
        }
    }
}
