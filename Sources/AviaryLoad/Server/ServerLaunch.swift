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

    package init(executable: String, workers: Int?, rows: Int, modelName: String, titleColumn: String) {
        self.executable = executable
        self.workers = workers
        self.rows = rows
        self.modelName = modelName
        self.titleColumn = titleColumn
    }

    func serveArguments(data: String, port: Int) -> [String] {
        let processes = workers.map { ["--workers", String($0)] } ?? ["--in-process"]
        return ["serve", "--port", String(port), "--data", data] + processes
    }
}
