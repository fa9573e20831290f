import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// A program that opens a store and lets many callers write to it, until they finish or something ends the program.
@main
struct StoreDriver: AsyncParsableCommand {
    @Argument var directory: String
    @Option var firstCaller = 0
    @Option var callers = 8
    @Option var steps = 20
    @Option var noteLength = 100
    @Option var seed: UInt64 = 1
    @Option(help: "How often each change set is submitted at the same time.") var copies = 1
    @Option var bug: Bug?
    @Flag(help: "Read all the time as well.") var reading = false

    func run() async throws {
        let ledger = Ledger()
        ledger.begin()
        guard let store = open(ledger) else { _exit(ExitStatus.cannotOpen.rawValue) }
        let reader = reading ? Task { try await read(store, ledger) } : nil
        let ends = await withTaskGroup(of: Caller.End.self) { group in
            for caller in firstCaller..<firstCaller + callers {
                let plan = Plan(caller: caller, seed: seed, noteLength: noteLength)
                group.addTask { [copies, bug, steps] in
                    var caller = Caller(plan: plan, store: store, ledger: ledger, copies: copies, bug: bug)
                    return await caller.run(steps: steps)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        reader?.cancel()
        if ends.contains(.wronglyRefused) { throw ExitCode.failure }
        // The server does the same: after a failure it neither closes nor flushes anything.
        if ends.contains(.storeFailed) { _exit(ExitStatus.storeFailed.rawValue) }
        await store.close()
    }

    private func open(_ ledger: Ledger) -> OpenStore? {
        do {
            return try OpenStore(directory, ledger)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return nil
        }
    }
}

/// Counts the records repeatedly, as a list page does.
private func read(_ store: OpenStore, _ ledger: Ledger) async throws {
    var records: SQLRecordRepository?
    while !Task.isCancelled {
        do {
            let opened = try records ?? store.records()
            records = opened
            ledger.read(try await opened.count())
        } catch {
            ledger.unreadable("\(error)")
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// A bug that the driver simulates, to show that the tests detect it.
enum Bug: String, ExpressibleByArgument {
    /// An acknowledgement of a change set before it is stored.
    case acknowledgeEarly = "acknowledge-early"
}

/// The exit status of a run, for the tests.
enum ExitStatus: Int32 {
    /// A failure of the store, after which it guarantees nothing.
    case storeFailed = 70
    case cannotOpen
    case noLedger
}
