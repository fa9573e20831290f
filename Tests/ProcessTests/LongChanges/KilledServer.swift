import Foundation
import Synchronization
import TestSupport
import Testing

/// A server whose processes are killed again and again, and started again on the same port.
final class KilledServer: Sendable {
    enum Victim: CaseIterable {
        case store
        /// Both workers, so that the one with the request is among them.
        case workers
        /// The supervisor, whose children end with it. The server is then started again.
        case supervisor
    }

    let directory: TestDirectory
    private let program: Program
    /// The running server, and the number of its processes that were killed.
    private let state: Mutex<(server: Server, kills: Int)>

    /// Starts a server in a directory, which may have a store already.
    init(_ program: Program = .zoo, in directory: TestDirectory) async throws {
        self.program = program
        self.directory = directory
        let server = try await Server.start(program, in: directory, port: try FixedPort.next())
        state = Mutex((server, 0))
    }

    var server: Server { state.withLock { $0.server } }
    var file: StoreFile { StoreFile(directory) }

    /// Waits until all processes are ready after the kills so far.
    @discardableResult
    func complete() async throws -> Family {
        let (server, kills) = state.withLock { $0 }
        return try await server.complete(restarts: kills)
    }

    /// Kills the victim.
    ///
    /// - Parameters:
    ///   - others: The processes that a test has started on the directory itself.
    ///   - check: A function that looks at what the processes have left, when the supervisor was killed and no process
    ///     is running.
    func kill(_ victim: Victim, others: Set<pid_t> = [], check: () async throws -> Void = {}) async throws {
        let family = try await complete()
        switch victim {
        case .store:
            family.store?.send(SIGKILL)
            state.withLock { $0.kills += 1 }
        case .workers:
            for worker in family.workers { worker.send(SIGKILL) }
            state.withLock { $0.kills += family.workers.count }
        case .supervisor:
            let server = server
            server.program.send(SIGKILL)
            #expect(await server.program.exitCode == 128 + SIGKILL)
            try await eventually("every child had ended by itself") {
                server.processes.allSatisfy { others.contains($0.pid) }
            }
            try await check()
            let next = try await Server.start(program, in: directory, port: server.port)
            state.withLock { $0 = (next, 0) }
        }
    }

    /// Ends the server, and expects that a check of its data finds nothing.
    func expectGoodData() async throws {
        #expect(try file.integrity() == ["ok"])
        #expect(await server.stop() == 0)
        let check = try await program.run(["check", "--contents", "--data", directory.data], in: directory)
        #expect(check.exitCode == 0, "\(check.output)\(check.errors)")
    }

    /// Expects that the totals of the models are the numbers of their records.
    func expectTotals(of models: String...) throws {
        for model in models {
            // One statement sees one state, also while others save.
            let rows = try file.rows(
                "SELECT (SELECT records FROM aviary_total WHERE model = '\(model)'), (SELECT count(*) FROM \"\(model)\")"
            )
            #expect(rows.first?.first == rows.first?.last, "\(model)")
        }
    }
}

/// A person who adds animals beside a long change, and goes on through all kills.
final class SideWriter: Sendable {
    let attempted = Names()
    let acknowledged = Names()
    private let isOver = Flag()

    func end() {
        isOver.raise()
    }

    func run(_ browser: Browser) async throws {
        let blank = try await browser.newAnimal("")
        var index = 0
        while !isOver.isRaised {
            let form = blank.another(named: "Row \(index)")
            attempted.add(form)
            let answer = try? await browser.post("/admin/animals", form)  // without an answer, the outcome is unknown
            if answer?.status == 303 {
                acknowledged.add(form)
            } else {
                // No process answers for a while.
                try await Task.sleep(for: Patience.pause)
            }
            index += 1
        }
    }

    /// Expects that every acknowledged animal is stored, and no other.
    func expectStored(in file: StoreFile) throws {
        let rows = try file.animals().filter { $0.value.hasPrefix("Row ") }
        let (attempted, acknowledged) = (attempted.all, acknowledged.all)
        #expect(!acknowledged.isEmpty)
        #expect(acknowledged.allSatisfy { rows[$0.key] == $0.value })
        #expect(rows.allSatisfy { attempted[$0.key] == $0.value })
        #expect(Set(rows.values).count == rows.count)
    }
}
