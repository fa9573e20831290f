import AviaryDomain
import Foundation
import Synchronization
import Testing

/// A record to request, and the people who request it.
struct Fixture: Sendable {
    let animalName: String
    private let animal: String
    private let version: String
    private let admin: Browser
    /// The id of a record that a form would create.
    private let fresh = UUID.version7().canonicalText

    private static let made = Mutex<[String: Task<Fixture, any Error>]>([:])

    /// Returns the fixture of the suite's server, for tests that only read.
    static func shared() async throws -> Fixture {
        let data = try Server.shared.data
        let task = made.withLock { made -> Task<Fixture, any Error> in
            if let task = made[data] { return task }
            let task = Task { try await make() }
            made[data] = task
            return task
        }
        return try await task.value
    }

    static func make() async throws -> Fixture {
        let admin = Browser(try .shared, as: "keeper-of-fixtures")
        // The account must exist, because its page is requested.
        _ = try await Browser(.shared, as: "viewer", role: "viewer").get("/admin")
        let name = Unique.name("Subject ")
        let id = try await admin.addAnimal(name)
        let version = try #require(try await admin.sheet(of: "animals", id)["version"])
        return Fixture(animalName: name, animal: id, version: version, admin: admin)
    }

    func browser(_ person: Person) async throws -> Browser {
        let server = try Server.shared
        switch person {
        case .nobody: return Browser(strangerAt: server)
        case .viewer, .editor, .admin: return Browser(server, as: person.rawValue, role: person.rawValue)
        case .disabled:
            let name = Unique.name("gone")
            let browser = Browser(server, as: name)
            _ = try await browser.get("/admin")
            let book = AccountBook(server)
            let id = try await book.account(name).id.uuid
            try await book.use { try await $0.setDisabled(true, of: id, by: "test") }
            return browser
        }
    }

    /// Returns the token of a page that the browser may see.
    func token(for browser: Browser, _ person: Person) async throws -> String {
        switch person {
        case .nobody, .disabled: try #require(try Form(of: try await browser.get("/login"), action: "/login")["csrf"])
        case .viewer, .editor, .admin: try await browser.token()
        }
    }

    func filled(_ path: String) -> String {
        path.replacingOccurrences(of: "=animal", with: "=" + animal).replacingOccurrences(
            of: "/animal$", with: "/" + animal, options: .regularExpression
        ).replacingOccurrences(of: "/version$", with: "/" + version, options: .regularExpression)
    }

    func filled(_ form: Form) -> Form {
        form.fields.reduce(into: Form()) { filled, field in
            let value =
                switch field.value {
                case "animal": animal
                case "version": version
                case "new": fresh
                case "draft": UUID.version7().canonicalText
                default: field.value
                }
            filled.add(field.name, value)
        }
    }

    /// Returns the state that a refused request must not change.
    func stored() async throws -> [String] {
        [try await admin.sheet(of: "animals", animal)["version"] ?? "", "\(try await admin.exists("animals", fresh))"]
    }
}

/// A person who sends a request.
enum Person: String, CaseIterable, Sendable {
    case nobody, viewer, editor, admin
    /// A person who was an admin until just now.
    case disabled
}

/// The proof of a form's origin.
enum Proof: String, CaseIterable, Sendable {
    case right, none, anotherSessions, crossSite
}
