import ArgumentParser
import Aviary
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Mistakes in custom routes and commands are found at launch")
struct OwnDeclarationTests {
    private func error(_ paths: String...) -> String? {
        do {
            _ = try CustomRoutes(paths.map { Route.get($0) { _ in .noContent } })
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "Paths of names and parameters are accepted",
        arguments: ["/menu", "/menu/{id}", "/a/{b}/c/{d}", "/v1.0/x-y_z~"])
    func accepted(path: String) {
        #expect(error(path) == nil)
    }

    @Test(
        "Paths that the admin reserves are rejected",
        arguments: [
            "/", "/admin", "/admin/animals", "/assets/x", "/login", "/logout", "/healthz", "/readyz", "/metrics",
            "/{any}", "/{any}/x",
        ])
    func reserved(path: String) {
        #expect(error(path) != nil)
    }

    @Test(
        "Malformed paths are rejected",
        arguments: [
            "menu", "", "/menu/", "//menu", "/a//b", "/a b", "/a%20b", "/{", "/x/{}", "/x/{a-b}", "/x/..", "/x/{a}/{a}",
            "/é",
        ])
    func malformed(path: String) {
        #expect(error(path) != nil)
    }

    @Test("Two routes that match the same requests are rejected, and two methods of one path are accepted")
    func twice() {
        #expect(error("/a/{b}", "/a/{c}")?.contains("twice") == true)
        #expect(throws: Never.self) {
            try CustomRoutes([Route.get("/a") { _ in .noContent }, Route.post("/a") { _ in .noContent }])
        }
    }

    @Test(
        "Only a path of unescaped, unreserved names can belong to a custom route",
        arguments: [
            ("/menu/1", true), ("/admin/x", false), ("//admin", false), ("/%61dmin", false), ("/", false),
            ("/adminx", true),
        ])
    func own(path: String, expected: Bool) {
        #expect(RoutePath.isCustom(path) == expected)
    }

    private struct Serve: ParsableCommand {}
    private struct Feed: ParsableCommand {}
    private struct Help: ParsableCommand {}

    @Test("A command with the name of another command is rejected")
    func commands() throws {
        try CommandNames.check(own: [Feed.self], builtIn: [Serve.self])
        #expect(throws: CommandNameError(name: "serve")) {
            try CommandNames.check(own: [Serve.self], builtIn: [Serve.self])
        }
        #expect(throws: CommandNameError(name: "feed")) {
            try CommandNames.check(own: [Feed.self, Feed.self], builtIn: [])
        }
        #expect(throws: CommandNameError(name: "help")) { try CommandNames.check(own: [Help.self], builtIn: []) }
    }
}
