import AviaryDesign
import Testing

@Suite("Text with links")
struct LinkedTextTests {
    private func html(_ text: String, _ links: [LinkedText.Link]) -> String {
        var html = HTML()
        html.render(LinkedText(text, links: links))
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test("Each name becomes a link, regardless of the order of the links")
    func names() {
        let links = [LinkedText.Link("“Kea”", href: "/b"), LinkedText.Link("“Rex”", href: "/a")]
        #expect(
            html("2 animals (“Rex” and “Kea”) still refer to “Birds”.", links)
                == #"2 animals (<a href="/a">“Rex”</a> and <a href="/b">“Kea”</a>) still refer to “Birds”."#)
    }

    @Test("Equal names get their links in order")
    func twins() {
        let links = [LinkedText.Link("“Kea”", href: "/a"), LinkedText.Link("“Kea”", href: "/b")]
        #expect(html("“Kea” and “Kea”", links) == #"<a href="/a">“Kea”</a> and <a href="/b">“Kea”</a>"#)
    }

    @Test("An ambiguous name gets no link, and an unused link is ignored")
    func ambiguous() {
        #expect(
            html("“Kea” refers to “Kea”", [LinkedText.Link("“Kea”", href: "/a"), LinkedText.Link("“Rex”", href: "/b")])
                == "“Kea” refers to “Kea”")
    }

    @Test("The text is escaped, and unsafe links are replaced")
    func hostile() {
        let text = html(
            "“<b>” & “x”",
            [LinkedText.Link("“<b>”", href: "/a?b&c"), LinkedText.Link("“x”", href: "javascript:alert(1)")])
        #expect(text == ##"<a href="/a?b&amp;c">“&lt;b&gt;”</a> &amp; <a href="#">“x”</a>"##)
    }

    @Test("The parts of the text are available to scripts")
    func parts() {
        let parts = LinkedText("a “Kea” b", links: [LinkedText.Link("“Kea”", href: "/a")]).parts
        #expect(parts.map(\.text) == ["a ", "“Kea”", " b"] && parts.map(\.href) == [nil, "/a", nil])
    }
}
