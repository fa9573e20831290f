extension ChildProcess {
    /// Runs a program to its end.
    ///
    /// - Returns: what it printed.
    static func run(_ executable: String, _ arguments: [String]) async throws(LoadTestError) -> String {
        let child = ChildProcess(executable: executable, arguments: arguments)
        try await child.start()
        let text = await child.read()
        let status = await child.exitStatus()
        guard status == 0 else {
            throw LoadTestError("\(arguments.joined(separator: " ")) ended with exit code \(status); what it said stands above.")
        }
        return text
    }
}
