import Foundation

/// A server that the harness runs for the duration of the run.
actor SelfHostedServer {
    private let launch: ServerLaunch
    private let directory: ScratchDirectory
    private var process: LaunchedProcess?
    private var port = 0
    private var metricsPort = 0
    private var accounts = 0
    /// The time-out for the start and the stop of the server.
    private static let patience = Duration.seconds(30)
    private static let mostBackups = 5

    nonisolated var durability: String { launch.durability }

    init(_ launch: ServerLaunch) throws(LoadTestError) {
        self.launch = launch
        directory = try ScratchDirectory()
    }

    /// Imports the initial records and starts the server.
    ///
    /// - Returns: The origin of the server.
    func start() async throws(LoadTestError) -> String {
        if launch.rows > 0 {
            let file = try directory.write(rows: launch.rows, column: launch.titleColumn)
            _ = try await LaunchedProcess.run(
                launch.executable, ["import", launch.modelName, file, "--data", directory.data]
            )
        }
        return try await serve()
    }

    /// Creates an account for the virtual users and returns its credentials.
    func credentials() async throws(LoadTestError) -> Credentials {
        accounts += 1
        let text = try await LaunchedProcess.run(
            launch.executable,
            ["user", "add", "loadtest-\(accounts)", "--role", "editor", "--link", "--data", directory.data]
        )
        guard let start = text.range(of: "/login?"),
            let path = text[start.lowerBound...].split(whereSeparator: \.isNewline).first
        else { throw LoadTestError("What `user add --link` printed holds no link.") }
        return .link(path: String(path))
    }

    /// Returns a random process of a kind for the next kill.
    ///
    /// - Parameter dead: The process ids that were killed before.
    func victim(_ target: KillTarget, except dead: Set<Int32>) async throws(LoadTestError) -> KillTargetProcess? {
        guard launch.workers == nil else {
            return try await status().members(target).filter { !dead.contains($0.pid) }.randomElement()
        }
        guard let process else { return nil }
        return KillTargetProcess(name: "server", pid: await process.pid)
    }

    /// Restarts a server that is a single process. In a server of several processes the supervisor restarts them.
    func restart(_ victim: KillTargetProcess) async throws(LoadTestError) {
        guard launch.workers == nil, let process, await process.pid == victim.pid else { return }
        _ = await process.exitStatus()
        _ = try await serve()
    }

    /// Takes a backup of the running server, and retries when a process that it needs was killed in the meantime.
    func backUp() async throws(LoadTestError) -> String {
        let file = directory.path + "/backup.jsonl.gz"
        for _ in 1..<Self.mostBackups {
            let child = LaunchedProcess(
                executable: launch.executable, arguments: ["backup", "--output", file, "--data", directory.data])
            try await child.start()
            _ = await child.read()
            if await child.exitStatus() == 0 { return file }
            try? FileManager.default.removeItem(atPath: file)  // a part of one, if anything
        }
        _ = try await LaunchedProcess.run(launch.executable, ["backup", "--output", file, "--data", directory.data])
        return file
    }

    func restore(_ file: String) async throws(LoadTestError) {
        _ = try await LaunchedProcess.run(launch.executable, ["restore", file, "--yes", "--data", directory.data])
    }

    /// The address of the server's metrics.
    var metricsAddress: String { "http://127.0.0.1:\(metricsPort)/metrics" }

    /// Returns how often the server has restarted its processes; nil for a server that is a single process.
    ///
    /// - Parameter dead: The process ids that were killed. While the server still reports one of them, it has not
    ///   noticed the exit yet.
    func restarts(after dead: Set<Int32>) async throws(LoadTestError) -> Int? {
        guard let workers = launch.workers else { return nil }
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let status = try await status()
            let isCurrent = status.members(.any).allSatisfy { !dead.contains($0.pid) }
            if isCurrent && status.isComplete(workers: workers) || ContinuousClock.now > deadline {
                return status.restarts
            }
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
        let arguments = launch.serveArguments(data: directory.data, port: port, metricsPort: metricsPort)
        let process = LaunchedProcess(executable: launch.executable, arguments: arguments)
        self.process = process
        try await process.start()
        let watch = Task {
            try await Task.sleep(for: Self.patience)
            await process.signal(SIGKILL)
        }
        defer { watch.cancel() }
        let text = await process.read { Self.origin(in: $0) != nil && Self.metricsPort(in: $0) != nil }
        guard let (origin, port) = Self.origin(in: text), let metricsPort = Self.metricsPort(in: text) else {
            throw LoadTestError(
                "The server did not start within \(Int(Self.patience.seconds)) s; what it said stands above.")
        }
        self.port = port
        self.metricsPort = metricsPort
        return origin
    }

    private func status() async throws(LoadTestError) -> ServerStatus {
        // The command exits with 1 while the killed store does not respond, and still prints the other processes.
        let text = try await LaunchedProcess.run(
            launch.executable, ["status", "--data", directory.data, "--json"], accepting: [0, 1])
        do {
            return try JSONDecoder().decode(ServerStatus.self, from: Data(text.utf8))
        } catch {
            throw LoadTestError("What `status --json` printed cannot be read: \(error)")
        }
    }

    /// Returns the origin and the port from “… is served at http://127.0.0.1:8080/admin”, once the line is
    /// complete.
    static func origin(in text: String) -> (origin: String, port: Int)? {
        guard let start = text.range(of: "http://"),
            let end = text.range(of: "/admin", range: start.upperBound..<text.endIndex),
            let port = text[start.upperBound..<end.lowerBound].split(separator: ":").last.flatMap({ Int($0) })
        else { return nil }
        return (String(text[start.lowerBound..<end.lowerBound]), port)
    }

    /// Returns the port from “Metrics are served at http://127.0.0.1:9464/metrics”, once the line is complete.
    static func metricsPort(in text: String) -> Int? {
        guard let end = text.range(of: "/metrics\n") else { return nil }
        return text[..<end.lowerBound].split(separator: ":").last.flatMap { Int($0) }
    }
}

/// The options for the start of a server by the harness.
package struct ServerLaunch: Sendable {
    /// The path of the program, which is usually this program.
    package let executable: String
    /// The number of web workers, each a separate process; nil runs store and worker in one process.
    package let workers: Int?
    /// The number of initial records.
    package let rows: Int
    /// The name of the model for the import.
    package let modelName: String
    package let titleColumn: String

    /// The durability as text for the report: the options with which the store opens its file.
    package let durability: String

    package init(
        executable: String, workers: Int?, rows: Int, modelName: String, titleColumn: String, durability: String
    ) {
        self.durability = durability
        self.executable = executable
        self.workers = workers
        self.rows = rows
        self.modelName = modelName
        self.titleColumn = titleColumn
    }

    func serveArguments(data: String, port: Int, metricsPort: Int) -> [String] {
        let processes = workers.map { ["--workers", String($0)] } ?? ["--in-process"]
        return ["serve", "--port", String(port), "--metrics-port", String(metricsPort), "--data", data] + processes
    }
}

/// A temporary directory for one run.
struct ScratchDirectory: Sendable {
    let path: String

    init() throws(LoadTestError) {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("loadtest-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw LoadTestError(
                "\(path) could not be made: \(error). Make the temporary directory writable.")
        }
    }

    var data: String { path + "/data" }

    /// Writes a CSV file with one column and returns its path.
    func write(rows: Int, column: String) throws(LoadTestError) -> String {
        let file = path + "/rows.csv"
        var text = column + "\n"
        for row in 1...max(1, rows) { text += "Seed \(row)\n" }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        } catch {
            throw LoadTestError("\(file) could not be written: \(error). Check the space in the temporary directory.")
        }
        return file
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)  // what stays in a temporary directory goes with it
    }
}
