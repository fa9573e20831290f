/// How a server of our own is started.
package struct ServerLaunch: Sendable {
    /// The program: this one, as a rule.
    package let executable: String
    /// Web workers, each a process of its own; nil puts store and worker into one process.
    package let workers: Int?
    /// Records to begin with.
    package let rows: Int
    /// What they are imported as.
    package let modelName: String
    package let titleColumn: String

    /// How it stores, in words for a report: what a store opens its file with.
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
