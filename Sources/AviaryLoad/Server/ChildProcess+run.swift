extension ChildProcess {
    /// Runs a program to its end.
    ///
    /// - Parameter accepted: exit codes with which it has done what it was asked.
    /// - Returns: what it printed.
    static func run(
        _ executable: String, _ arguments: [String], accepting accepted: Set<Int32> = [0]
    ) async throws(LoadTestError) -> String {
        let child = ChildProcess(executable: executable, arguments: arguments)
        try await child.start()
        let text = await child.read()
        let status = await child.exitStatus()
        guard accepted.contains(status) else {
            throw LoadTestError(
                "\(arguments.joined(separator: " ")) ended with exit code \(status); what it said stands above.")
        }
        return text
    }
}
