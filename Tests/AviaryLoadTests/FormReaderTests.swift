import Testing

@testable import AviaryLoad

@Suite struct FormReaderTests {
    private func forms(_ html: String) -> [Form] { FormReader.forms(in: Array(html.utf8)) }

    @Test func readsWhatABrowserWouldSend() throws {
        let form = try #require(
            forms(
                #"""
                <p>a < b</p><!-- <form action="/no"> --><form action="/admin/animals?a=1&amp;b=2" data-x='>'>
                <input type="hidden" name="csrf" value="x&quot;&#39;&lt;&gt;&amp;amp;&#x1F422;"><input type=text name=name value="Okapi">
                <input type="hidden" name="tame" value="false"><input type="checkbox" name="tame" value="true">
                <input type="radio" name="diet" value="a"><input type="radio" name="diet" value="b" checked>
                <select name="category"><option value="">None</option><option value="1">One</option></select>
                <select name="keeper"><option value="1">One</option><option value="2" selected>Two</option></select>
                <textarea name="notes">1 &lt; 2</textarea><input type="submit" name="go" value="Go">
                <button formaction="/admin/animals/draft">Keep</button></form><input name="outside" value="1">
                """#
            ).first)
        #expect(form.action == "/admin/animals?a=1&b=2")
        #expect(
            form.fields == [
                FormField(name: "csrf", value: "x\"'<>&amp;🐢"), FormField(name: "name", value: "Okapi"),
                FormField(name: "tame", value: "false"), FormField(name: "diet", value: "b"),
                FormField(name: "category", value: ""), FormField(name: "keeper", value: "2"),
                FormField(name: "notes", value: "1 < 2"),
            ])
        #expect(form.otherActions == ["/admin/animals/draft"])
        #expect(form.textField == "name")
        #expect(form.settingTitle("Zebra").title == "Zebra")
    }

    @Test(arguments: [
        "", "<", "<form", "<form><input name=\"a", "<a b=c", "&", "<input name=x value=&#xFFFFFFFF;>", "</", "<!",
    ])
    func neverFails(_ html: String) {
        _ = forms(html)
        _ = ListPage(Array(html.utf8))
    }

    @Test("However many comments follow each other, they are passed over")
    func comments() {
        #expect(forms(String(repeating: "<!>", count: 1_000_000) + "<form action=\"/a\">").map(\.action) == ["/a"])
    }

    @Test func encodesAsBrowsersDo() {
        let bytes = FormEncoding.encode([FormField(name: "a b", value: "é&=+%"), FormField(name: "c", value: "*-._")])
        #expect(String(decoding: bytes, as: UTF8.self) == "a+b=%C3%A9%26%3D%2B%25&c=*-._")
    }

    @Test func keepsCookiesUntilTheyEnd() {
        var jar = CookieJar()
        jar.store("session-1=abc==; Path=/; HttpOnly")
        #expect(jar.header == "session-1=abc==")
        jar.store("session-1=; Max-Age=0")
        #expect(jar.header == nil)
    }
}
