import AsyncHTTPClient
import Foundation

/// Loads a server and checks what it loaded.
package struct LoadTest: Sendable {
    let plan: LoadPlan
    let target: LoadTarget
    /// Hears what is being done.
    let progress: @Sendable (String) -> Void

    package init(plan: LoadPlan, target: LoadTarget, progress: @escaping @Sendable (String) -> Void) {
        self.plan = plan
        self.target = target
        self.progress = progress
    }

    package func run() async throws -> LoadResult {
        switch target {
        case .running(let origin, let credentials):
            guard plan.kill == nil else {
                throw LoadPlanError("--kill needs --self-hosted: only processes that this run started are killed.")
            }
            return try await load(origin, server: nil, credentials: credentials)
        case .selfHosted(let launch):
            let server = try SelfHostedServer(launch)
            do {
                progress(launch.rows > 0 ? "Starting a server with \(launch.rows) records." : "Starting a server.")
                let result = try await load(try await server.start(), server: server, credentials: try await server.credentials())
                await server.stop()
                return result
            } catch {
                // A task of its own: also a run that was cancelled leaves no server behind.
                await Task { await server.stop() }.value
                throw error
            }
        }
    }

    private func load(_ origin: String, server: SelfHostedServer?, credentials: Credentials?) async throws -> LoadResult {
        let client = HTTPClient.forLoad(connections: plan.connections)
        do {
            let recorder = Recorder(start: .now, duration: plan.duration)
            let signIn = SignIn(client: client, origin: origin, recorder: recorder)
            var cookies = CookieJar()
            if let credentials { cookies = try await signIn.cookies(credentials) }
            let run = LoadRun(
                plan: plan, origin: origin, client: client, server: server,
                cookies: cookies, progress: progress
            )
            let result = try await run.result()
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()  // the error at hand says more
            throw error
        }
    }
}
