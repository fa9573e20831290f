import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// Opens a store and lets many callers write to it, until they are done or something ends it.
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
        // The way of the server: nothing is closed or flushed after a failure.
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

/// Counts the records again and again, as a list page does.
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

/// What a store must not do. Planted to show that the tests find it.
enum Bug: String, ExpressibleByArgument {
    /// Says "stored" before it is.
    case acknowledgeEarly = "acknowledge-early"
}

/// How a run ended, for the tests.
enum ExitStatus: Int32 {
    /// The store said that it can promise nothing any more.
    case storeFailed = 70
    case cannotOpen
    case noLedger
}
