import AviaryDomain
import Dispatch
import Foundation
import Synchronization

/// One check of a file, from its beginning to its end.
final class FileCheckRun: Sendable {
    /// More would tell nobody more.
    private static let reportedLines = 20
    /// A file of any size may take its time: nobody waits.
    private static let limit: Duration = .seconds(7 * 86_400)

    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let interruption = Interruption()
    /// Nil before the check has begun.
    let interrupter = Mutex<(any ConnectionInterrupter)?>(nil)
    private let ended = DispatchGroup()

    init(_ directory: DataDirectory, engine: any StoreEngine) {
        self.engine = engine
        self.directory = directory
        ended.enter()
    }

    /// Checks; to be called once, and ``end()`` after it.
    func result() -> (check: FileCheck, tables: [String]) {
        do {
            let found = try findings()
            let lines = Array(found.lines.prefix(Self.reportedLines))
            return (lines.isEmpty ? .ok(at: Date()) : .damaged(lines, at: Date()), found.tables)
        } catch ReadError.cancelled {
            return (.unfinished(reason: "it was ended, and begins anew when the store is opened the next time"), [])
        } catch let error as EngineError where error.kind == .damage {
            return (.damaged([error.finding], at: Date()), [])
        } catch {
            return (.unfinished(reason: "\(error)"), [])
        }
    }

    func end() {
        ended.leave()
    }

    func interrupt() {
        interruption.request()
        interrupter.withLock { $0 }?.interrupt()
    }

    /// Blocks the thread until the check has ended.
    func stop(within deadline: DispatchTime) {
        interruption.request()
        // Again and again: an interrupt that comes between two statements has no effect.
        repeat {
            interrupter.withLock { $0 }?.interrupt()
        } while ended.wait(timeout: .now() + .milliseconds(5)) == .timedOut && .now() < deadline
    }

    private func findings() throws -> FileFindings {
        let reader = try Reader(directory, engine: engine)
        let interrupter = reader.connection.interrupter()
        self.interrupter.withLock { $0 = interrupter }
        defer { interrupter.detach() }
        return try reader.read(within: Self.limit, unless: interruption) { _ in try findings(reader.connection) }
    }

    private func findings(_ connection: any ReaderConnection) throws -> FileFindings {
        var found = FileFindings()
        // All of it, also what cannot be read: what can be made anew is among the rest.
        found.lines = try problems { try connection.quickCheck() }
        for table in try connection.tableNames() {
            for check in [connection.integrityCheck, connection.referenceCheck] {
                guard !interruption.isRequested else { throw ReadError.cancelled }
                found.add(try problems { try check(table) }, of: table)
            }
        }
        return found
    }

    private func problems(_ check: () throws -> [String]) throws -> [String] {
        do {
            return try check()
        } catch let error as EngineError where error.kind == .damage {
            return [error.finding]
        }
    }
}
