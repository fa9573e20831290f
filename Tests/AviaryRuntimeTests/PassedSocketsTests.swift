import Testing

@testable import AviaryRuntime

@Suite("Sockets from a service manager")
struct PassedSocketsTests {
    private func sockets(_ environment: [String: String]) throws -> PassedSockets {
        try PassedSockets(environment: environment.merging(["LISTEN_PID": "7"]) { given, _ in given }, process: 7)
    }

    @Test("The socket named web takes precedence over the first other one, and metrics never serves pages")
    func names() throws {
        #expect(try sockets(["LISTEN_FDS": "1"]).web == 3)
        #expect(try sockets(["LISTEN_FDS": "1", "LISTEN_FDNAMES": "aviary.socket"]).web == 3)
        let named = try sockets(["LISTEN_FDS": "3", "LISTEN_FDNAMES": "other:metrics:web"])
        #expect(named.web == 5 && named.metrics == 4 && named.unused == ["other"])
        let first = try sockets(["LISTEN_FDS": "3", "LISTEN_FDNAMES": "metrics:one:two"])
        #expect(first.web == 4 && first.metrics == 3 && first.unused == ["two"])
        let alone = try sockets(["LISTEN_FDS": "1", "LISTEN_FDNAMES": "metrics"])
        #expect(alone.web == nil && alone.metrics == 3)
    }

    @Test(
        "Missing, zero or foreign variables pass no sockets",
        arguments: [
            [:], ["LISTEN_FDS": "0", "LISTEN_PID": "7"], ["LISTEN_FDS": "1", "LISTEN_PID": "8"], ["LISTEN_FDS": "1"],
        ])
    func none(environment: [String: String]) throws {
        let sockets = try PassedSockets(environment: environment, process: 7)
        #expect(sockets.web == nil && sockets.metrics == nil && sockets.unused == [])
    }

    @Test(
        "A malformed variable is an error that names it",
        arguments: [
            ("LISTEN_FDS", ["LISTEN_FDS": "two"]), ("LISTEN_FDS", ["LISTEN_FDS": "-1"]),
            ("LISTEN_FDS", ["LISTEN_FDS": "100000"]),
            ("LISTEN_FDS", ["LISTEN_FDS": ""]), ("LISTEN_PID", ["LISTEN_FDS": "1", "LISTEN_PID": "me"]),
            ("LISTEN_FDNAMES", ["LISTEN_FDS": "2", "LISTEN_FDNAMES": "web"]),
            ("LISTEN_FDNAMES", ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "a:b"]),
        ])
    func malformed(variable: String, environment: [String: String]) {
        let error = #expect(throws: ListeningSocketError.self) { try sockets(environment) }
        #expect(error?.description.hasPrefix(variable) == true)
    }
}
