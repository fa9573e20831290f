import Foundation
import TestSupport
import Testing

/// The processes of a server, as its status file names them.
struct Family: Sendable, Hashable, Decodable {
    struct Member: Sendable, Hashable, Decodable {
        let pid: pid_t
        let restarts: Int
        let replacements: Int
        let isReady: Bool

        func send(_ signal: Int32) {
            kill(pid, signal)
        }
    }

    let supervisor: pid_t
    /// The state: `starting`, `serving`, `deploying` or `ending`.
    let state: String
    let store: Member?
    let workers: [Member]
    /// The processes that take over from a worker.
    let coming: [Member]
    /// The processes that were asked to end.
    let leaving: [Member]

    var restarts: Int { workers.map(\.restarts).reduce(store?.restarts ?? 0, +) }
    var isComplete: Bool { store?.isReady == true && workers.count == 2 && workers.allSatisfy(\.isReady) }
    /// The number of times that every process has been replaced; nil while the numbers differ.
    var replacements: Int? {
        let all = Set((workers + [store].compactMap { $0 }).map(\.replacements))
        return all.count == 1 ? all.first : nil
    }
    var pids: Set<pid_t> { Set(workers.map(\.pid) + [supervisor] + (store.map { [$0.pid] } ?? [])) }
}

extension Server {
    /// The processes of the status file; nil when nothing serves the directory.
    var family: Family? {
        let data = FileManager.default.contents(atPath: directory.data + "/status.json")
        return data.flatMap { try? JSONDecoder().decode(Family.self, from: $0) }  // nil without a status
    }

    /// Waits until every process exists and is ready.
    ///
    /// - Parameter restarts: The number of restarts to wait for.
    func complete(restarts: Int = 0) async throws -> Family {
        var found: Family?
        try await eventually("all processes were ready after \(restarts) restarts; last: \(String(describing: family))")
        {
            found = family
            return found.map { $0.isComplete && $0.restarts >= restarts } ?? false
        }
        guard let found else { throw NeverHappened("There was no status.") }
        return found
    }

    /// Waits until the given number of deploys have replaced every process and no deploy is in progress.
    @discardableResult
    func deployed(_ count: Int) async throws -> Family {
        var found: Family?
        try await eventually("deploy \(count) was finished") {
            found = family
            return found.map {
                $0.isComplete && $0.state == "serving" && $0.leaving.isEmpty && $0.replacements == count
            } ?? false
        }
        return try #require(found)
    }

    /// Returns the current store process.
    func store() async throws -> Family.Member {
        var found: Family.Member?
        try await eventually("there was a store process that is ready") {
            found = family?.store
            return found?.isReady == true
        }
        guard let found else { throw NeverHappened("There was no store process.") }
        return found
    }
}
