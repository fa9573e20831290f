import Foundation

/// A load test, which puts load on a server and checks its records.
package struct LoadTest: Sendable {
    let plan: LoadPlan
    let target: LoadTarget
    /// The path of this program, for additional client processes.
    let executable: String
    /// A closure that receives progress messages.
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
                    "--kill and --restore need --self-hosted: a run only kills and restores what it started itself.")
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
                // The server is stopped in a separate task, so that a cancelled run leaves no server behind.
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

/// An error that prevents a load test. The text says what to do next.
package struct LoadTestError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A progress message of a run for the user.
package enum LoadProgress: Sendable {
    /// A step that has begun, or a finding.
    case message(String)
    /// Current figures, sent about twice a second for a status line.
    case live(LiveStatistics)
}

/// The current figures of a run.
package struct LiveStatistics: Sendable {
    /// The elapsed share of this part of the run, 0 to 1.
    package let share: Double
    let seconds: Double
    let requestsPerSecond: Double
    /// The 99th percentile of the latency of actions since the previous line, in milliseconds; nil when none ended.
    let p99: Double?
    let errors: Int
    /// The number of client processes that the figures cover.
    let processes: Int

    private static let width = 20

    /// The figures as a line of at most 78 characters.
    package var text: String {
        let filled = Int((min(1, max(0, share)) * Double(Self.width)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let latency = p99.map { "p99 \(NumberFormat.milliseconds($0))" } ?? "no answers"
        let errors = errors == 0 ? "no errors" : "\(NumberFormat.grouped(errors)) errors"
        return
            "\(bar) \(NumberFormat.text(seconds)) s  \(NumberFormat.text(requestsPerSecond))/s  \(latency)  \(errors)"
            + (processes > 1 ? "  (\(processes) clients)" : "")
    }
}
