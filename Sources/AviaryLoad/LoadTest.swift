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
        case .running(let origin):
            guard plan.kill == nil else {
                throw LoadPlanError("--kill needs --self-hosted: only processes that this run started are killed.")
            }
            return try await load(origin, server: nil)
        case .selfHosted(let launch):
            let server = try SelfHostedServer(launch)
            do {
                progress(launch.rows > 0 ? "Starting a server with \(launch.rows) records." : "Starting a server.")
                let result = try await load(try await server.start(), server: server)
                await server.stop()
                return result
            } catch {
                // A task of its own: also a run that was cancelled leaves no server behind.
                await Task { await server.stop() }.value
                throw error
            }
        }
    }

    private func load(_ origin: String, server: SelfHostedServer?) async throws -> LoadResult {
        let client = HTTPClient.forLoad(connections: plan.connections)
        do {
            let run = LoadRun(plan: plan, origin: origin, client: client, server: server, progress: progress)
            let result = try await run.result()
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()  // the error at hand says more
            throw error
        }
    }
}
