import Foundation

/// A server that lives as long as the run.
actor SelfHostedServer {
    private let launch: ServerLaunch
    private let directory: ScratchDirectory
    private var process: ChildProcess?
    private var port = 0
    /// How long it may take to be ready, and to stop.
    private static let patience = Duration.seconds(30)

    init(_ launch: ServerLaunch) throws(LoadTestError) {
        self.launch = launch
        directory = try ScratchDirectory()
    }

    /// Fills the store and serves it.
    ///
    /// - Returns: the origin to ask.
    func start() async throws(LoadTestError) -> String {
        if launch.rows > 0 {
            let file = try directory.write(rows: launch.rows, column: launch.titleColumn)
            _ = try await ChildProcess.run(
                launch.executable, ["import", launch.modelName, file, "--data", directory.data]
            )
        }
        return try await serve()
    }

    /// How the people of the run sign in: by an account of their own.
    func credentials() async throws(LoadTestError) -> Credentials {
        let text = try await ChildProcess.run(
            launch.executable, ["user", "add", "loadtest", "--role", "editor", "--link", "--data", directory.data]
        )
        guard let start = text.range(of: "/login?"), let path = text[start.lowerBound...].split(whereSeparator: \.isNewline).first
        else { throw LoadTestError("What `user add --link` printed holds no link.") }
        return .link(path: String(path))
    }

    /// Kills a process the hard way: it gets no chance to tidy up.
    func kill(_ target: KillTarget) async throws(LoadTestError) -> (name: String, pid: Int32)? {
        if launch.workers == nil {
            guard let process else { return nil }
            let pid = await process.pid
            await process.signal(SIGKILL)
            _ = await process.exitStatus()
            _ = try await serve()
            return ("server", pid)
        }
        guard let victim = try await status().members(target).randomElement() else { return nil }
        return Foundation.kill(victim.pid, SIGKILL) == 0 ? victim : nil
    }

    /// How often it started one of its processes again; nil where it is a single process.
    func restarts() async throws(LoadTestError) -> Int? {
        guard let workers = launch.workers else { return nil }
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let status = try await status()
            if status.isComplete(workers: workers) || ContinuousClock.now > deadline { return status.restarts }
            try? await Task.sleep(for: .milliseconds(50))  // cancelled: asked once more, and then by the caller
            if Task.isCancelled { return status.restarts }
        }
    }

    func stop() async {
        if let process, await process.pid > 0 {
            await process.signal(SIGTERM)
            let watch = Task {
                try await Task.sleep(for: Self.patience)
                await process.signal(SIGKILL)
            }
            _ = await process.exitStatus()
            watch.cancel()
        }
        process = nil
        directory.remove()
    }

    private func serve() async throws(LoadTestError) -> String {
        let arguments = launch.serveArguments(data: directory.data, port: port)
        let process = ChildProcess(executable: launch.executable, arguments: arguments)
        self.process = process
        try await process.start()
        let watch = Task {
            try await Task.sleep(for: Self.patience)
            await process.signal(SIGKILL)
        }
        defer { watch.cancel() }
        let text = await process.read { Self.origin(in: $0) != nil }
        guard let (origin, port) = Self.origin(in: text) else {
            throw LoadTestError("The server did not start within \(Int(Self.patience.seconds)) s; what it said stands above.")
        }
        self.port = port
        return origin
    }

    private func status() async throws(LoadTestError) -> ServerStatus {
        // It exits with 1 while the store that was just killed does not answer, and tells of the others all the same.
        let text = try await ChildProcess.run(launch.executable, ["status", "--data", directory.data, "--json"], accepting: [0, 1])
        do {
            return try JSONDecoder().decode(ServerStatus.self, from: Data(text.utf8))
        } catch {
            throw LoadTestError("What `status --json` printed cannot be read: \(error)")
        }
    }

    /// The address in “… is served at http://127.0.0.1:8080/admin”, once the line is complete.
    static func origin(in text: String) -> (origin: String, port: Int)? {
        guard let start = text.range(of: "http://"), let end = text.range(of: "/admin", range: start.upperBound..<text.endIndex),
              let port = text[start.upperBound..<end.lowerBound].split(separator: ":").last.flatMap({ Int($0) })
        else { return nil }
        return (String(text[start.lowerBound..<end.lowerBound]), port)
    }
}
