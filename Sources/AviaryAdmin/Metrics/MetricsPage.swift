import ActivityFeature
import ArgumentParser
import AviaryDomain
import AviaryMetrics
import AviaryRuntime
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// The content of `/metrics`: the sums over all workers, whichever of them answers.
struct MetricsPage: Sendable {
    let application: String
    let container: DependencyContainer
    let database: CachedValue<DatabaseState?>

    /// The number of attempts to get complete sums.
    ///
    /// After a restart of the store, its workers report within about a second. The page waits for sums that lack a
    /// worker until then.
    private static let attempts = 4
    private static let pause: Duration = .milliseconds(400)

    func text() async -> String {
        PrometheusText.render(await snapshot())
    }

    private func snapshot() async -> MetricSnapshot {
        let processes = container.directory.statusFile.read()
        async let status = container.storeStatus()
        let sums = await sums(of: processes)
        var snapshot = sums ?? ProcessMetrics.registry.snapshot
        if let status = await status, sums != nil {
            snapshot.set(1, .storeUp)
            status.add(to: &snapshot)
        } else {
            snapshot.set(0, .storeUp)
        }
        snapshot.set(Double(container.directory.storeSize), .storeFileSize)
        snapshot.set(Double(container.directory.logSize), .storeLogSize)
        BackupState.add(container.directory.backupState, to: &snapshot, at: Date())
        DataCheckState.add(container.directory.dataCheckState, to: &snapshot)
        snapshot.set(1, .buildInfo, [MetricLabel("application", application), MetricLabel("swift", Self.swift)])
        let database = container.directory.location.database
        snapshot.set(
            1, .storeInfo,
            [
                MetricLabel("engine", database == nil ? "sqlite" : "postgresql"),
                MetricLabel("database", database?.name ?? ""),
                MetricLabel("hosts", database?.hosts.joined(separator: ",") ?? ""),
            ])
        (await self.database.current() ?? nil)?.add(to: &snapshot)
        snapshot.set(Double(ProcessMetrics.registry.refusals), .refusedSeries)
        processes?.add(to: &snapshot)
        return snapshot
    }

    /// Returns the sums of all processes, or nil when the store does not answer.
    private func sums(of processes: ProcessStatus?) async -> MetricSnapshot? {
        let expected = Set((processes?.workers ?? []).filter(\.isReady).map(\.pid)).subtracting([getpid()])
        var latest: MetricSnapshot?
        for attempt in 1...Self.attempts {
            guard let answer = await container.reportMetrics(wantsWhole: true), let whole = answer.whole else {
                return latest
            }
            latest = whole
            if expected.isSubset(of: answer.processes) || attempt == Self.attempts { break }
            do {
                try await Task.sleep(for: Self.pause)
            } catch {
                break  // nobody waits for it any more
            }
        }
        return latest
    }

    #if swift(>=6.4)
        private static let swift = "6.4 or later"
    #elseif swift(>=6.3)
        private static let swift = "6.3"
    #else
        private static let swift = "6.2"
    #endif
}

/// The secret that a request for metrics on the public port must contain.
///
/// It comes from a file or the environment, and never from an argument, because all users of the machine can see
/// arguments.
package struct MetricsToken: Sendable {
    static let variable = "AVIARY_METRICS_TOKEN"
    /// The name of the variable with the path of a file that contains the token, such as a systemd credential.
    static let fileVariable = "AVIARY_METRICS_TOKEN_FILE"
    private static let leastLength = 16

    private let hash: SHA256Digest

    /// Reads the token, or returns nil when there is none.
    ///
    /// - Throws: `ValidationError` for a token that is too short, or a file that cannot be read or that everybody
    ///   may read.
    package init?() throws {
        try self.init(environment: ProcessInfo.processInfo.environment)
    }

    init?(environment: [String: String]) throws {
        func value(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        let (path, given) = (value(Self.fileVariable), value(Self.variable))
        guard path == nil || given == nil else {
            throw ValidationError("\(Self.variable) and \(Self.fileVariable) are both set. Give one of them.")
        }
        guard let text = try path.map(Self.content) ?? given else { return nil }
        guard text.utf8.count >= Self.leastLength else {
            throw ValidationError(
                "\(path == nil ? Self.variable : Self.fileVariable) is too short to be a secret. Give it at least \(Self.leastLength) characters."
            )
        }
        hash = SHA256.hash(data: Data(text.utf8))
    }

    /// Returns the contents of the file without the surrounding whitespace.
    private static func content(of path: String) throws -> String {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let rights = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            guard rights & 0o007 == 0 else {
                throw ValidationError("\(fileVariable) names a file that everybody may read: chmod o= \(path)")
            }
            return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ValidationError("\(fileVariable) names a file that cannot be read: \(path)")
        }
    }

    /// The token of this process, which its supervisor has validated.
    static let current: MetricsToken? = (try? MetricsToken()) ?? nil  // an error was reported at the start

    /// Returns whether the request contains the token. The comparison of digests takes constant time.
    func permits(_ request: Request) -> Bool {
        let prefix = "bearer "
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix(prefix) else { return false }
        return SHA256.hash(data: Data(field.utf8.dropFirst(prefix.utf8.count))) == hash
    }
}
