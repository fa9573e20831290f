import ArgumentParser
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// What whoever asks for metrics on the public port has to know. From the environment, never an argument: those are seen
/// by all users of the machine.
struct MetricsToken: Sendable {
    static let variable = "AVIARY_METRICS_TOKEN"
    private static let leastLength = 16

    private let hash: SHA256Digest

    /// Nil when there is none.
    ///
    /// - Throws: `ValidationError` for one that could be guessed.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        guard let text = environment[Self.variable], !text.isEmpty else { return nil }
        guard text.utf8.count >= Self.leastLength else {
            throw ValidationError(
                "\(Self.variable) is too short to be a secret. Give it at least \(Self.leastLength) characters.")
        }
        hash = SHA256.hash(data: Data(text.utf8))
    }

    /// That of this process, which its supervisor has checked.
    static let current: MetricsToken? = (try? MetricsToken()) ?? nil

    /// In constant time: digests are compared so.
    func permits(_ request: Request) -> Bool {
        let prefix = "bearer "
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix(prefix) else { return false }
        return SHA256.hash(data: Data(field.utf8.dropFirst(prefix.utf8.count))) == hash
    }
}
