import ArgumentParser
import Aviary
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("A mistake in an application's own routes and commands is found at the start")
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
        "What the admin has for itself, now or later, is refused",
        arguments: [
            "/", "/admin", "/admin/animals", "/assets/x", "/login", "/logout", "/healthz", "/readyz", "/metrics",
            "/{any}", "/{any}/x",
        ])
    func reserved(path: String) {
        #expect(error(path) != nil)
    }

    @Test(
        "Malformed paths are refused",
        arguments: [
            "menu", "", "/menu/", "//menu", "/a//b", "/a b", "/a%20b", "/{", "/x/{}", "/x/{a-b}", "/x/..", "/x/{a}/{a}",
            "/é",
        ])
    func malformed(path: String) {
        #expect(error(path) != nil)
    }

    @Test("Two routes that would take the same requests are refused; two methods of one path are not")
    func twice() {
        #expect(error("/a/{b}", "/a/{c}")?.contains("twice") == true)
        #expect(throws: Never.self) {
            try CustomRoutes([Route.get("/a") { _ in .noContent }, Route.post("/a") { _ in .noContent }])
        }
    }

    @Test(
        "Only a path of unescaped names can be an own route's",
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

    @Test("A command with the name of another one is refused")
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
