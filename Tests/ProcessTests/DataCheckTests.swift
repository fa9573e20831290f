import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Data checks by command and by schedule")
    struct DataCheckTests {
        @Test("A data check reports changes by other programs with advice and exits with 1")
        func byHand() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let good = try await Self.check(directory)
                #expect(good.exitCode == 0 && good.output.contains("totals, text indexes, links and history match."))
                try StoreFile(directory).create("UPDATE aviary_total SET records = 9 WHERE model = 'Animal'")
                let derived = try await Self.check(directory)
                #expect(derived.exitCode == 1)
                #expect(derived.output.contains("The total of Animal is 9, and there are 2 records."))
                #expect(derived.output.contains("zoo repair --data \(directory.data)"))
                try StoreFile(directory).create("UPDATE Animal SET diet = 'herbivorous' WHERE name = 'Kea'")
                let changed = try await Self.check(directory)
                #expect(changed.exitCode == 1 && changed.output.contains("has another diet than commit"))
            }
        }

        @Test("A scheduled data check reports its problems in the status and the log")
        func byTheClock() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                try StoreFile(directory).create("UPDATE aviary_total SET records = 9 WHERE model = 'Animal'")
                let server = try await Server.start(in: directory, flags: ["--check-data-every", "1s"])
                try await eventually("the check by the clock has found it") {
                    let status = try await server.run("status")
                    return status.exitCode == 1 && status.output.contains("The total of Animal is 9")
                }
                try await eventually("the log reports it, too") {
                    try server.errors().contains("a check of the data found problems")
                }
            }
        }

        private static func fill(_ directory: TestDirectory) async throws {
            let file = directory.path("animals.csv")
            try Data("name,diet\r\nKea,omnivorous\r\nOkapi,herbivorous\r\n".utf8).write(to: URL(filePath: file))
            let run = try await Program.zoo.run(["import", "Animal", file, "--data", directory.data], in: directory)
            #expect(run.exitCode == 0, "\(run.errors)")
        }

        private static func check(_ directory: TestDirectory) async throws -> Program.Run {
            try await Program.zoo.run(["check", "--contents", "--data", directory.data], in: directory)
        }
    }
}
