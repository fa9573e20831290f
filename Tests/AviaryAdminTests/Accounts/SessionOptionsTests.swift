import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Session limits are settings of the server")
struct SessionOptionsTests {
    private static func limits(_ flags: String...) throws -> SessionLimits { try SessionOptions.of(flags).limits }

    @Test("Without flags, a session ends after 8 hours without a request or after 7 days")
    func standard() throws {
        #expect(try Self.limits() == SessionLimits())
    }

    @Test("The flags set both limits, and the idle limit never exceeds the absolute limit")
    func flags() throws {
        let both = try Self.limits("--session-idle", "30m", "--session-limit", "12h")
        #expect(both.idle == 1800 && both.absolute == 12 * 3600)
        let short = try Self.limits("--session-limit", "1h")
        #expect(short.idle == 3600 && short.absolute == 3600)
        let longest = try Self.limits("--session-idle", "7d", "--session-limit", "30d")
        #expect(longest == .longest)
    }

    @Test(
        "A flag rejects a duration that is too short, too long or malformed",
        arguments: [
            ["--session-idle", "4m"], ["--session-idle", "8d"], ["--session-idle", "30"], ["--session-idle", "off"],
            ["--session-limit", "4m"], ["--session-limit", "31d"], ["--session-limit", "-1h"],
            ["--session-idle", "2h", "--session-limit", "1h"],
        ])
    func refused(flags: [String]) {
        #expect(throws: (any Error).self) { try SessionOptions.of(flags) }
    }

    @Test("A worker reads the limits from its environment")
    func environment() throws {
        let options = try SessionOptions.of(["--session-idle", "45m", "--session-limit", "90m"])
        let environment = try options.environment
        let idle = try #require(environment[SessionOptions.idleVariable])
        let limit = try #require(environment[SessionOptions.limitVariable])
        #expect(try Self.limits("--session-idle", idle, "--session-limit", limit) == options.limits)
    }

    @Test("A session ends when the configured idle limit is over, and not before")
    func served() async throws {
        let server = try await Server.start(flags: ["--session-idle", "30m", "--session-limit", "1h"])
        let book = AccountBook(server)
        // Each case uses another person, because a request records its session as seen in the background.
        for (name, minutes, status) in [("early", 20.0, 200), ("late", 31.0, 303)] {
            let browser = Browser(server, as: name)
            #expect(try await browser.get("/admin").status == 200)
            try await book.age(sessionsOf: name, by: minutes * 60)
            #expect(try await browser.get("/admin").status == status)
        }
        await server.kill()
    }
}
