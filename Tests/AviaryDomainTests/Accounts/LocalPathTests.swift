import AviaryDomain
import Testing

@Suite("Redirect targets")
struct LocalPathTests {
    @Test(
        "A redirect can lead to a path of the server, with a query",
        arguments: ["/", "/admin", "/admin/animals?sort=-name&after=x%2Fy", "/admin#top"])
    func local(path: String) {
        #expect(LocalPath(path)?.text == path)
    }

    @Test(
        "A redirect cannot lead to another server",
        arguments: [
            "", "admin", "https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example", "/admin\r\nSet-Cookie: x=1", " /admin", "/ä", "javascript:alert(1)", "/ok\\evil",
            "/\u{0}",
            "/" + String(repeating: "a", count: 2000),
        ])
    func elsewhere(path: String) {
        #expect(LocalPath(path) == nil)
    }
}
