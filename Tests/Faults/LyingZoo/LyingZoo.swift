import Aviary
import AviaryAdmin
import AviaryDomain
import AviaryIPC
import AviaryLoadTest
import Foundation

/// The zoo with a store that acknowledges too early, which the load harness must detect.
struct LyingZoo: LoadTestedApp {
    var admin: some Admin {
        ModelAdmin(Animal.self)
            .columns(\.name, \.diet, \.category)
            .search(\.name)
            .filters(\.diet, \.category)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Friend.self)
    }
}

@main
enum Program {
    static func main() async {
        await StoreServiceReplacement.$replace.withValue({ HastyStore(real: $0) }) {
            await LyingZoo.main()
        }
    }
}

/// A store that acknowledges a change set before it is stored, so that a kill in between loses it.
///
/// For accounts and sign-ins the store behaves correctly, because the load harness must be able to sign in.
struct HastyStore: StoreService {
    let real: any StoreService

    /// The delay before the change set is stored: long enough for a kill on a busy machine.
    private static let delay: Duration = .seconds(2)
    private static let builtIn = Set(Schema.builtIn.map(\.name))

    func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        guard case .submit(let changeSet) = request,
            !changeSet.changes.contains(where: { Self.builtIn.contains($0.model) })
        else { return try await real.write(request) }
        Task {
            try await Task.sleep(for: Self.delay)
            _ = try await real.write(request)
        }
        return Receipt(changeSet: changeSet.id, commit: 1, isRepeat: false)
    }

    func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) async throws(StoreError) -> Int64 {
        try await real.replaceContents(withStoreAt: path, keepingReplacedAt: kept, holder: holder)
    }

    func acquireWriteLease(for holder: UUID) async throws(StoreError) { try await real.acquireWriteLease(for: holder) }
    func releaseWriteLease(for holder: UUID) async throws(StoreError) { try await real.releaseWriteLease(for: holder) }
    func abandonWriteLease(for holder: UUID) async { await real.abandonWriteLease(for: holder) }

    func status() async -> StoreStatus {
        await real.status()
    }

    func close() async {
        await real.close()
    }
}
