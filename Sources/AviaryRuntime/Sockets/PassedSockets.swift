/// The listening sockets that a service manager opened and passes on, as systemd does.
package struct PassedSockets: Sendable, Hashable {
    /// The variables that describe the sockets.
    ///
    /// They are removed for children because they are true of one process only.
    package static let variables: Set<String> = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]
    private static let firstDescriptor: CInt = 3
    private static let most = 64
    private static let (webName, metricsName) = ("web", "metrics")

    /// The socket to serve the admin on: the one that is named `web`, else the first that is not named `metrics`.
    package var web: CInt?
    package var metrics: CInt?
    /// The names of the sockets that are not used.
    package var unused: [String] = []

    /// Reads the sockets from the environment.
    ///
    /// - Parameter process: The process whose environment it is. Sockets that are meant for another process are
    ///   ignored.
    /// - Throws: ``ListeningSocketError`` for malformed variables.
    package init(environment: [String: String], process: Int32) throws(ListeningSocketError) {
        guard let count = environment["LISTEN_FDS"] else { return }
        if let text = environment["LISTEN_PID"] {
            guard let meant = Int32(text), meant > 0 else {
                throw .passedSockets(variable: "LISTEN_PID", expected: "a process number")
            }
            guard meant == process else { return }
        } else {
            return
        }
        guard let count = Int(count), (0...Self.most).contains(count) else {
            throw .passedSockets(variable: "LISTEN_FDS", expected: "a number from 0 to \(Self.most)")
        }
        let names =
            environment["LISTEN_FDNAMES"].map {
                $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            }
            ?? Array(repeating: "unknown", count: count)
        guard names.count == count || count == 0 else {
            throw .passedSockets(variable: "LISTEN_FDNAMES", expected: "\(count) names with colons between them")
        }
        let sockets = names.prefix(count).enumerated().map {
            (name: $0.element, descriptor: Self.firstDescriptor + CInt($0.offset))
        }
        let metrics = sockets.first { $0.name == Self.metricsName }
        let web = sockets.first { $0.name == Self.webName } ?? sockets.first { $0.name != Self.metricsName }
        self.web = web?.descriptor
        self.metrics = metrics?.descriptor
        unused = sockets.filter { $0.descriptor != web?.descriptor && $0.descriptor != metrics?.descriptor }.map(\.name)
    }
}
