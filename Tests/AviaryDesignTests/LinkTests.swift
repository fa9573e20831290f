import AviaryDesign
import Testing

@Suite struct LinkTests {
    @Test(
        "A link that could leave the site or run a script is replaced",
        arguments: [
            "javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "//evil.example",
            "/\\evil.example", "/\t/evil.example", "\\\\evil.example", "evil", "", "mailto:x",
        ])
    func unsafe(address: String) {
        #expect(rendered { $0.void("a", .href(address)) } == ##"<a href="#">"##)
    }

    @Test(
        "Local addresses and https links are unchanged",
        arguments: ["/", "/admin?x=1", "#field-name", "?q=x", "https://example.org/"])
    func safe(address: String) {
        #expect(rendered { $0.void("a", .href(address)) } == "<a href=\"\(address)\">")
    }

    @Test("A form cannot be submitted to another site")
    func forms() {
        let address = "https://evil.example/"
        #expect(rendered { $0.void("form", .action(address)) } == ##"<form action="#">"##)
        #expect(rendered { $0.void("button", .formAction(address)) } == ##"<button formaction="#">"##)
        #expect(rendered { $0.void("form", Attribute("data-draft", address)) } == ##"<form data-draft="#">"##)
    }

    @Test("Unsafe links in a table are replaced")
    func list() {
        let row = TableRow(
            id: "1", href: "javascript:alert(1)", title: "x",
            cells: [.text("x"), .link(title: "y", href: "//evil.example")])
        let markup = Markup(RecordTable(columns: [], rows: [row], deleteAction: "/d", caption: "c", returnTo: nil))
        #expect(markup.all("a").map { $0["href"] } == ["#", "#", "/d?id=1"])
    }

    @Test(
        "An authenticator link accepts only an otpauth TOTP address",
        arguments: [
            ("otpauth://totp/Zoo:ada?secret=A", "otpauth://totp/Zoo:ada?secret=A"), ("otpauth://hotp/Zoo", "#"),
            ("https://example.org/", "#"),
            ("javascript:alert(1)", "#"), ("/admin", "#"), ("", "#"),
        ])
    func authenticator(link: String, expected: String) {
        #expect(rendered { $0.void("a", .authenticator(link)) } == "<a href=\"\(expected)\">")
    }

    @Test("An ordinary link cannot be an otpauth address")
    func ordinary() {
        #expect(rendered { $0.void("a", .href("otpauth://totp/Zoo:ada?secret=A")) } == ##"<a href="#">"##)
    }
}
