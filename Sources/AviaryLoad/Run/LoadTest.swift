import Foundation

/// Loads a server and checks what it loaded.
package struct LoadTest: Sendable {
    let plan: LoadPlan
    let target: LoadTarget
    /// This program, for further client processes.
    let executable: String
    /// Hears what is being done.
    let progress: @Sendable (LoadProgress) -> Void

    package init(
        plan: LoadPlan, target: LoadTarget, executable: String = CommandLine.arguments[0],
        progress: @escaping @Sendable (LoadProgress) -> Void
    ) {
        self.plan = plan
        self.target = target
        self.executable = executable
        self.progress = progress
    }

    package func run() async throws -> LoadResult {
        switch target {
        case .running(let origin, let credentials):
            guard plan.kill == nil, !plan.restores else {
                throw LoadPlanError(
                    "--kill and --restore need --self-hosted: only what this run started is killed and restored.")
            }
            return try await load(origin, server: nil, credentials: credentials)
        case .selfHosted(let launch):
            let server = try SelfHostedServer(launch)
            do {
                progress(
                    .message(launch.rows > 0 ? "Starting a server with \(launch.rows) records." : "Starting a server."))
                let result = try await load(
                    try await server.start(), server: server, credentials: try await server.credentials())
                await server.stop()
                return result
            } catch {
                // A task of its own: also a run that was cancelled leaves no server behind.
                await Task { await server.stop() }.value
                throw error
            }
        }
    }

    private func load(_ origin: String, server: SelfHostedServer?, credentials: Credentials?) async throws -> LoadResult
    {
        let connections = Connections(count: plan.connections)
        do {
            let recorder = Recorder(start: .now, duration: plan.duration)
            let signIn = SignIn(client: connections.entrance, origin: origin, recorder: recorder)
            var cookies = CookieJar()
            if let credentials { cookies = try await signIn.cookies(credentials) }
            let run = LoadRun(
                plan: plan, origin: origin, connections: connections, server: server, executable: executable,
                cookies: cookies, progress: progress
            )
            let result = try await run.result()
            await connections.shutdown()
            return result
        } catch {
            await connections.shutdown()
            throw error
        }
    }
}

/// Why a load test could not be done; the text says what to do next.
package struct LoadTestError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// How a run goes, for whoever waits for it.
package enum LoadProgress: Sendable {
    /// Something has begun or was found out.
    case message(String)
    /// Some twice a second, for a line that is written again and again.
    case live(LiveFigures)
}

/// How it goes right now.
package struct LiveFigures: Sendable {
    /// Of this part of the run, 0 to 1.
    package let share: Double
    let seconds: Double
    let requestsPerSecond: Double
    /// Of actions that ended since the line before, in milliseconds; nil where none did.
    let p99: Double?
    let errors: Int
    /// Client processes, all of which the figures are of.
    let processes: Int

    private static let width = 20

    /// A line of at most 78 characters.
    package var text: String {
        let filled = Int((min(1, max(0, share)) * Double(Self.width)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let latency = p99.map { "p99 \(Figure.milliseconds($0))" } ?? "no answers"
        let errors = errors == 0 ? "no errors" : "\(Figure.grouped(errors)) errors"
        return "\(bar) \(Figure.text(seconds)) s  \(Figure.text(requestsPerSecond))/s  \(latency)  \(errors)"
            + (processes > 1 ? "  (\(processes) clients)" : "")
    }
}
