public import AviaryAdmin
public import AviaryDomain
import Foundation

/// An application that is served in the process of a test, from a temporary directory.
///
/// ```swift
/// @Test func addsAnAnimal() async throws {
///     try await TestApplication.serve(Zoo.self) { application in
///         let browser = try await application.signedIn(as: "ada", role: .editor)
///         var sheet = try await browser.get("/admin/animals/new").sheet()
///         sheet["name"] = "Okapi"
///         #expect(try await browser.submit(sheet).status == 303)
///         #expect(try await browser.get("/admin/animals").rows.map(\.title) == ["Okapi"])
///     }
/// }
/// ```
///
/// The requests go through a socket, so a test sees what a browser sees. Each application has a port and a store of its
/// own, so tests can run at the same time.
public struct TestApplication: Sendable {
    /// The address of the application, such as `http://127.0.0.1:40123`. The admin is at the path `/admin`.
    public var address: String { server.address }

    /// The path of the data directory, for a program that connects to the store. It is removed when the test ends.
    public let data: String

    private let server: InProcessServer

    /// Serves an application until a closure returns.
    ///
    /// ```swift
    /// try await TestApplication.serve(Zoo.self) { application in
    ///     let answer = try await application.browser().get("/admin")
    /// }
    /// ```
    ///
    /// When the closure returns or throws, the server ends and the directory is removed.
    ///
    /// - Parameters:
    ///   - application: The application.
    ///   - withSampleData: Pass true to begin with the changes that `serve --demo` begins with. A new store has no
    ///     records.
    ///   - isolation: The actor that runs the closure; that of the caller by default.
    ///   - body: A closure that takes the served application.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure; an error that reports a mistake in the application's declarations; a
    ///   `DataDirectoryError` when the temporary directory cannot be written.
    public static func serve<App: AviaryApp, Result>(
        _ application: App.Type, withSampleData: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ body: (TestApplication) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "aviary-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }  // the system cleans its temporary directory too
        let server = try await InProcessServer(
            application, data: directory.path, insertsSampleData: withSampleData)
        return try await server.run { try await body(TestApplication(data: directory.path, server: server)) }
    }

    /// Creates a browser in which nobody is signed in.
    ///
    /// - Returns: A browser without cookies.
    public func browser() -> TestBrowser { TestBrowser(address: address) }

    /// Creates a browser in which an account is signed in. The account is created when it does not exist.
    ///
    /// ```swift
    /// let browser = try await application.signedIn(as: "ada", role: .editor)
    /// ```
    ///
    /// The session begins without the sign-in form, and the account has no password. An account whose role requires a
    /// second factor can only open the page that sets one up.
    ///
    /// - Parameters:
    ///   - name: The name of the account: up to 64 letters, digits and `.`, `_`, `-`, `@`, `+`.
    ///   - role: The role of the account: a built-in one, or one of the application's `roles`.
    /// - Returns: A browser with the cookie of a new session.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/invalidAccountName``,
    ///   ``TestApplicationError/Code/unknownRole``, ``TestApplicationError/Code/accountHasOtherRole`` or
    ///   ``TestApplicationError/Code/storeFailed``.
    public func signedIn(as name: String, role: Role = .admin) async throws(TestApplicationError) -> TestBrowser {
        guard let accountName = AccountName(name) else {
            throw TestApplicationError(.invalidAccountName, "\"\(name)\" is not a valid account name.")
        }
        let browser = browser()
        do {
            let session = try await server.beginSession(of: accountName, role: role.name)
            browser.cookies[session.cookie] = session.value
        } catch AccountError.unknownRole {
            throw TestApplicationError(.unknownRole, "The application has no role \"\(role.name)\".")
        } catch AccountError.nameTaken {
            throw TestApplicationError(
                .accountHasOtherRole, "The account \"\(name)\" has another role than \"\(role.name)\".")
        } catch {
            throw TestApplicationError(.storeFailed, "The session could not be stored: \(error)")
        }
        return browser
    }

    /// Returns the store of the application, to prepare records and to check what the admin stored.
    ///
    /// ```swift
    /// let animals = try await application.store().repository(for: Animal.self)
    /// try await animals.insert(Animal(name: "Okapi"))
    /// ```
    ///
    /// The save hooks of the application run for these changes. The store closes with the application.
    ///
    /// - Parameter author: The name under which the history records the changes.
    /// - Returns: The store.
    public func store(as author: String = "test") -> AviaryStore { server.store(for: author) }
}

/// An error of a test's application or browser.
///
/// ```swift
/// catch let error as TestApplicationError where error.code == .noForm { … }
/// ```
public struct TestApplicationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. Later versions can add kinds.
    public struct Code: Sendable, Hashable {
        fileprivate enum Value {
            case invalidAccountName, unknownRole, accountHasOtherRole, storeFailed, noForm, severalForms, noAnswer
        }

        fileprivate let value: Value
    }

    /// The kind of the error.
    public let code: Code

    /// A sentence that says what failed, for the log of a test.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension TestApplicationError.Code {
    /// A name that no account can have.
    public static let invalidAccountName = Self(value: .invalidAccountName)
    /// A role that the application does not declare.
    public static let unknownRole = Self(value: .unknownRole)
    /// An account that exists and has another role.
    public static let accountHasOtherRole = Self(value: .accountHasOtherRole)
    /// A store that could not store or read the account or its session.
    public static let storeFailed = Self(value: .storeFailed)
    /// A page without the wanted form.
    public static let noForm = Self(value: .noForm)
    /// A page with several forms that fit the description. The error says how to choose one.
    public static let severalForms = Self(value: .severalForms)
    /// A request without a complete answer: the connection failed, or the server was silent for a minute.
    public static let noAnswer = Self(value: .noAnswer)
}
