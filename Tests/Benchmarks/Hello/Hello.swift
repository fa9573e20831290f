import Hummingbird

/// The framework alone on this machine: a line of text without anything behind it. `Hello PORT`.
@main
struct Hello {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let router = Router()
        router.get("/") { _, _ in "Hello, world!\n" }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }
}
