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
                URLEncodedField(name: "csrf", value: "x\"'<>&amp;🐢"), URLEncodedField(name: "name", value: "Okapi"),
                URLEncodedField(name: "tame", value: "false"), URLEncodedField(name: "diet", value: "b"),
                URLEncodedField(name: "category", value: ""), URLEncodedField(name: "keeper", value: "2"),
                URLEncodedField(name: "notes", value: "1 < 2"),
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

    @Test("Any number of consecutive comments is skipped")
    func comments() {
        #expect(forms(String(repeating: "<!>", count: 1_000_000) + "<form action=\"/a\">").map(\.action) == ["/a"])
    }

    @Test func encodesAsBrowsersDo() {
        let bytes = URLEncodedForm.encode([
            URLEncodedField(name: "a b", value: "é&=+%"), URLEncodedField(name: "c", value: "*-._"),
        ])
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

@Suite struct ListPageTests {
    @Test func readsRowsLinksAndTotal() {
        let page = ListPage(
            Array(
                #"""
                <nav><span class="count" data-count="9">9</span></nav><h1>Animals</h1><span data-count="1204">1,204</span>
                <table><thead><tr><th scope="col"><a href="/admin/animals?sort=-name">Name</a></th></tr></thead><tbody>
                <tr><td><input type="checkbox" name="id" value="1"></td><th scope="row"><a href="/admin/animals/1?a=b&amp;c=d"><bdi>Okapi &amp; co</bdi></a></th>
                <td><a href="/admin/animal-categories/3">Mammal</a></td></tr></tbody></table>
                <nav><span data-summary>1 of 1,204</span><a href="/admin/animals?after=x&amp;size=1" rel="next">Next</a></nav>
                """#.utf8))
        #expect(page.rows == [ListRow(id: "1", title: "Okapi & co", href: "/admin/animals/1?a=b&c=d")])
        #expect(page.next == "/admin/animals?after=x&size=1")
        #expect(page.sorts == ["/admin/animals?sort=-name"])
        #expect(page.total == 1204)
    }
}
