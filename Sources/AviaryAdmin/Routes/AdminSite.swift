import ActivityFeature
import AviaryDesign
import AviaryDomain
import AviaryHTTP
import Crypto
import Foundation
import Hummingbird

/// The dependencies of the admin's routes.
struct AdminSite: Sendable {
    let name: String
    let container: DependencyContainer
    let tokens: CSRFTokens
    let drafts: DraftCookies
    let sessions: SessionCookies
    let knownBrowsers: RecognizedBrowserCookies
    let passwords: any PasswordHashing
    let oneTimePasswords: any OneTimePasswords
    /// Indicates whether the server serves sample data that nobody will miss.
    let isDemo: Bool
    /// The address at which browsers reach the server, if it is set.
    let publicURL: PublicURL?
    let now: @Sendable () -> Date
    let figures: CachedValue<DashboardStatistics>
    let health: CachedValue<StoreHealth>
    let language: LanguageChoice
    let downloads = DownloadSlots()
    let deletions = BulkDeletionRegistry()

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
        knownBrowsers = RecognizedBrowserCookies(names: cookieNames, keys: container.keys)
        language = LanguageChoice(languages: languages, names: cookieNames)
        passwords = ScryptPasswords()
        oneTimePasswords = SealedOneTimePasswords(keys: container.keys)
    }

    var schema: Schema { container.schema }

    /// Returns the model with the slug.
    ///
    /// - Throws: ``PageError/notFound``.
    func model(_ slug: String?) throws -> AdminModel {
        guard let slug, let model = container.model(slug: slug) else { throw PageError.notFound }
        return model
    }

    /// Returns the origin of the server as the requesting browser knows it.
    ///
    /// ``HostMiddleware`` has checked the host.
    func origin(of request: Request) -> String {
        publicURL?.description ?? "http://" + (request.head.authority ?? "")
    }

    /// A function that returns the id under which sign-in attempts are counted.
    ///
    /// It uses the oldest key. When that key is retired, the counts start again.
    var attemptID: @Sendable (String) -> UUID {
        let key = (container.keys.keys.first ?? container.keys.current).derived(for: "sign-in attempts")
        return { text in
            let code = [UInt8](HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
            return NSUUID(uuidBytes: Array(code.prefix(16))) as UUID
        }
    }

    /// Returns the drafts of the request without those that were saved or discarded.
    func browserDrafts(_ opened: BrowserDrafts) async -> BrowserDrafts {
        guard !opened.drafts.isEmpty else { return opened }
        var browserDrafts = opened
        browserDrafts.drafts = []
        for kept in opened.drafts {
            // While the store cannot be read, no draft is known to be settled. Showing a draft once too often does
            // less harm.
            let outcome = (try? await container.ledger.outcome(ofDraft: kept.draft.id)) ?? nil
            if outcome == nil {
                browserDrafts.drafts.append(kept)
            } else {
                browserDrafts.settled.append(kept.cookie)
                if outcome == .discarded { browserDrafts.discarded.append(kept) }
            }
        }
        return browserDrafts
    }
}

/// A model as the admin serves it.
struct AdminModel: Sendable {
    let configuration: ModelConfiguration
    let repository: any RecordRepository
    /// The same records, for an application's own actions.
    let records: any ModelRecords

    var schema: ModelSchema { configuration.schema }
    var paths: ModelPaths { ModelPaths(schema) }
}
