import ActivityFeature
import AviaryDesign
import AviaryDomain
import Crypto
import Foundation
import Hummingbird

/// Everything that the admin's routes work with.
struct AdminSite: Sendable {
    let name: String
    let container: DependencyContainer
    let tokens: CSRFTokens
    let drafts: DraftCookies
    let sessions: SessionCookies
    let knownBrowsers: KnownBrowserCookies
    let passwords: any PasswordHashing
    let oneTimePasswords: any OneTimePasswords
    /// Whether it serves sample data that nobody will miss.
    let isDemo: Bool
    /// Under which address browsers reach it, where that is set.
    let publicURL: PublicURL?
    let now: @Sendable () -> Date
    let figures: CachedValue<DashboardFigures>
    let health: CachedValue<StoreHealth>
    let language: LanguageChoice
    let downloads = DownloadPlaces()

    init(
        name: String, container: DependencyContainer, cookieNames: CookieNames, languages: [Language] = [.english],
        sessionLimits: SessionLimits = SessionLimits(),
        publicURL: PublicURL? = nil, isDemo: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.name = name
        self.container = container
        self.publicURL = publicURL
        self.isDemo = isDemo
        self.now = now
        figures = container.cachedFigures(now: now)
        health = container.cachedHealth(now: now)
        tokens = CSRFTokens(container.keys)
        drafts = DraftCookies(names: cookieNames, keys: container.keys, compression: container.draftCompression)
        sessions = SessionCookies(names: cookieNames, limits: sessionLimits)
        knownBrowsers = KnownBrowserCookies(names: cookieNames, keys: container.keys)
        language = LanguageChoice(languages: languages, names: cookieNames)
        passwords = ScryptPasswords()
        oneTimePasswords = SealedOneTimePasswords(keys: container.keys)
    }

    var schema: Schema { container.schema }

    /// - Throws: ``RequestRefusal/notFound``.
    func model(_ slug: String?) throws -> AdminModel {
        guard let slug, let model = container.model(slug: slug) else { throw RequestRefusal.notFound }
        return model
    }

    /// The server as the browser that asks knows it. The host is one of ours: ``HostMiddleware`` has looked.
    func origin(of request: Request) -> String {
        publicURL?.description ?? "http://" + (request.head.authority ?? "")
    }

    /// Under what attempts to sign in are counted. The oldest key is not there for ever; with it what was counted is forgotten.
    var attemptID: @Sendable (String) -> UUID {
        let key = (container.keys.keys.first ?? container.keys.current).derived(for: "sign-in attempts")
        return { text in
            let code = [UInt8](HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
            return NSUUID(uuidBytes: Array(code.prefix(16))) as UUID
        }
    }

    /// The drafts of the request, without those that were saved or discarded meanwhile.
    func shelf(_ opened: DraftShelf) async -> DraftShelf {
        guard !opened.drafts.isEmpty else { return opened }
        var shelf = opened
        shelf.drafts = []
        for kept in opened.drafts {
            // While the store cannot be read nothing is known to be settled: better show a draft once too often.
            let outcome = (try? await container.ledger.outcome(ofDraft: kept.draft.id)) ?? nil
            if outcome == nil {
                shelf.drafts.append(kept)
            } else {
                shelf.settled.append(kept.cookie)
                if outcome == .discarded { shelf.discarded.append(kept) }
            }
        }
        return shelf
    }
}

/// One model as the admin serves it.
struct AdminModel: Sendable {
    let configuration: ModelConfiguration
    let repository: any RecordRepository
    /// The same records, for an application's own actions.
    let records: any ModelRecords

    var schema: ModelSchema { configuration.schema }
    var paths: ModelPaths { ModelPaths(schema) }
}
