import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

extension ServedApplications {
    @Suite("Concurrent sign-ins")
    struct SignInStormTests {
        private static let people = Explore.times(16, exploring: 50)
        /// The allowed growth of memory in KiB. A hash takes 32 MiB; concurrent hashes of the busier worker would
        /// take at least 256 MiB.
        private static let mostGrowth = 100 << 10

        @Test("Concurrent sign-ins take the memory of a single hash in each worker")
        func memory() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, flags: ["--trusted-proxy", "127.0.0.1"])
                let workers = try await server.complete().workers
                let before = try workers.map { try #require(ProcessTable.residentMemory(of: $0.pid)) }
                let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<Self.people {
                        group.addTask { try await Self.guess("nobody\(number)", from: number, at: server) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                // The missing account does not save the server any work.
                #expect(Set(answers).isSubset(of: [422, 503]), "\(answers)")
                #expect(answers.count { $0 == 422 } >= 2)
                for (worker, before) in zip(workers, before) {
                    let growth = try #require(ProcessTable.highestMemory(of: worker.pid)) - before
                    print("\(Self.people) at once: \(growth / 1024) MiB more in a worker")
                    #expect(growth < Self.mostGrowth)
                }
                // The processes are the same: none was restarted.
                #expect(try await server.complete().workers.map(\.pid) == workers.map(\.pid))
            }
        }

        /// Checks the item of the checklist: the medians differ by less than a tenth.
        ///
        /// Other work of the machine may disturb one round; a real difference appears in each.
        @Test(
            "A sign-in with a known name takes as long to be rejected as one with an unknown name",
            .enabled(if: Explore.isOn, "It compares times, which a busy machine changes; AVIARY_EXPLORE=1 runs it."))
        func time() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, flags: ["--trusted-proxy", "127.0.0.1"])
                var gaps: [Double] = []
                for round in 0..<3 where gaps.allSatisfy({ $0 >= 0.1 }) {
                    gaps.append(try await Self.gap(in: round, at: server))
                }
                print("gaps of the medians: \(gaps)")
                #expect(gaps.contains { $0 < 0.1 })
            }
        }

        private static func gap(in round: Int, at server: Server) async throws -> Double {
            let names = (0..<3).map { "round\(round)-\($0)" }
            try await add(names, to: server)
            var known: [Duration] = [], unknown: [Duration] = []
            for attempt in 0..<11 {
                // Each account stays below the number of failures that cause a wait.
                let name = names[attempt % names.count], address = round * 22 + attempt * 2
                known.append(
                    try await ContinuousClock().measure { _ = try await guess(name, from: address, at: server) })
                unknown.append(
                    try await ContinuousClock().measure {
                        _ = try await guess("x" + name, from: address + 1, at: server)
                    })
            }
            let (first, second) = (known.sorted()[5], unknown.sorted()[5])
            return max(first, second) / min(first, second) - 1
        }

        private static func add(_ names: [String], to server: Server) async throws {
            let connection = try StoreConnection(data: server.directory.data)
            defer { connection.close() }
            let accounts = try AccountRepository(
                records: { try connection.records(of: $0) }, writer: connection.writer, roles: try Roles([])
            )
            let hash = try await ScryptPasswords().hash("tapir umbrella quartz")
            for name in names {
                try await accounts.add(
                    Account(name: name, role: Role.viewer.name, passwordHash: hash, createdAt: Date()), by: "test")
            }
        }

        /// Sends a guess and returns the status.
        ///
        /// Each address is different, because most guesses from one address would have to wait.
        private static func guess(_ name: String, from address: Int, at server: Server) async throws -> Int {
            let browser = Browser(server, isStranger: true)
            let page = try await browser.get("/login")
            let token = try #require(page.source.firstMatch(of: /name="csrf" value="([^"]+)"/)?.1)
            let form = Form(["csrf": Markup.unescaped(token), "username": name, "password": "wrong"])
            return try await browser.post(
                "/login", form, headers: ["X-Forwarded-For": "10.0.\(address / 256).\(address % 256)"]
            ).status
        }
    }
}
