import Testing

@testable import AviaryLoad

@Suite("Signing in for a load test", .serialized) struct SignInTests {
    private static let ada = Credentials.password(user: FakeEntrance.user, password: FakeEntrance.password)

    /// Returns the cookies after a sign-in at a server of this kind.
    private func cookies(at kind: FakeEntrance.Kind, _ credentials: Credentials = ada) async throws -> String? {
        try await FakeEntrance(kind).serve { origin in try await Self.signIn(origin, credentials) }
    }

    private static func signIn(_ origin: String, _ credentials: Credentials) async throws -> String? {
        let client = HTTPClient(maximumConnections: 1)
        let recorder = Recorder(start: .now, duration: .seconds(1))
        do {
            let cookies = try await SignIn(client: client, origin: origin, recorder: recorder).cookies(credentials)
            await client.shutdown()
            return cookies.header
        } catch {
            await client.shutdown()
            throw error
        }
    }

    @Test("A name and a password are submitted in the sign-in form, and the session is kept")
    func password() async throws {
        #expect(try await cookies(at: .honest) == "fake=ada")
    }

    @Test("A sign-in link is followed and its form is submitted")
    func link() async throws {
        #expect(try await cookies(at: .honest, .link(path: FakeEntrance.link)) == "fake=ada")
    }

    @Test(
        "A rejected sign-in is reported with a reason and advice",
        arguments: [
            (FakeEntrance.Kind.refuses, "Check --user and the password."),
            (.leadsBack, "Check --user and the password."),
            (.asksForSecondFactor, "Make one without it"), (.throttles, "Wait a few minutes"),
            (.fails, "Look at the server's log"),
            (.hasNoForm, "Check that --url names an admin"),
        ])
    func refusals(_ kind: FakeEntrance.Kind, _ advice: String) async throws {
        let error = await #expect(throws: LoadTestError.self) { try await cookies(at: kind) }
        #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
    }

    @Test("The error for a wrong password does not contain the password")
    func wrongPassword() async throws {
        let secret = "correct horse battery"
        let error = await #expect(throws: LoadTestError.self) {
            try await cookies(at: .honest, .password(user: "ada", password: secret))
        }
        #expect(error?.description.contains("status 422") == true)
        #expect(error?.description.contains(secret) == false)
    }

    @Test("An unreachable server causes an error")
    func away() async throws {
        let error = await #expect(throws: LoadTestError.self) { try await Self.signIn("http://127.0.0.1:1", Self.ada) }
        #expect(error?.description.contains("does not answer") == true)
    }
}

@Suite("Load tests with a session", .serialized) struct SignedInLoadTests {
    private func load(
        _ entrance: FakeEntrance, as credentials: Credentials?, scenario: LoadScenario = .mixed
    ) async throws -> LoadResult {
        try await entrance.serve { origin in
            let plan = try LoadPlan(
                scenario: scenario, connections: 4, duration: .milliseconds(1), leastActions: 40, model: "animals")
            return try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: credentials), progress: { _ in }
            ).run()
        }
    }

    private static let ada = Credentials.password(user: FakeEntrance.user, password: FakeEntrance.password)

    @Test("Every request has the session cookie")
    func everyone() async throws {
        let entrance = FakeEntrance(.honest)
        let result = try await load(entrance, as: Self.ada)
        #expect(result.isGood, "\(result.violations.counts)")
        #expect(result.measurements.requests > 0)
        #expect(await entrance.strangers == 0)
    }

    @Test("A run without an account ends before the load and names the flags")
    func nobody() async throws {
        let entrance = FakeEntrance(.honest)
        let error = await #expect(throws: LoadTestError.self) { try await load(entrance, as: nil) }
        #expect(
            error?.description.contains("--user") == true && error?.description.contains("--password-stdin") == true)
        #expect(await entrance.strangers == 1)
    }

    @Test("An account without permission to add records is reported before the load")
    func viewer() async throws {
        let error = await #expect(throws: LoadTestError.self) {
            try await load(FakeEntrance(.honestToAViewer), as: Self.ada)
        }
        #expect(error?.description.contains("may not add") == true)
    }

    @Test("An account without permission to add records can browse")
    func browsing() async throws {
        #expect(try await load(FakeEntrance(.honestToAViewer), as: Self.ada, scenario: .browse).isGood)
    }

    @Test("A form that redirects to the sign-in page is reported as rejected, not as lost")
    func endedSession() async throws {
        let result = try await load(FakeEntrance(.endsSessions(after: 5)), as: Self.ada, scenario: .add)
        #expect(Set(result.violations.counts.keys) == [.unexpected])
        #expect(!result.isGood)
    }
}
