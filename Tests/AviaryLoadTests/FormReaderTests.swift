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

    /// Returns the fields of the first form, each as `name=value`.
    private func fields(_ html: String) -> [String] {
        forms("<form>\(html)</form>").first?.fields.map { "\($0.name)=\($0.value)" } ?? []
    }

    @Test("The line break right after a textarea's start tag is not part of its value")
    func textAreas() {
        for empty in ["", "\n", "\r\n"] {
            #expect(fields("<textarea name=a>\(empty)</textarea>") == ["a="], "\(empty.debugDescription)")
        }
        #expect(fields("<textarea name=a>\n\nb</textarea>") == ["a=\nb"])
        #expect(fields("<textarea name=a>\r\n\r\nb</textarea>") == ["a=\nb"])
        #expect(fields("<textarea name=a>b\nc</textarea>") == ["a=b\nc"])
    }

    @Test("Each line of a textarea ends with LF, whatever its source has")
    func lineBreaks() {
        #expect(fields("<textarea name=a>b\r\nc\rd&#13;\ne\n</textarea>") == ["a=b\nc\nd\ne\n"])
    }

    @Test("A select without a selected option has the value of its first option that is not disabled")
    func selects() {
        #expect(fields("<select name=a><option value=1>One<option value=2>Two</select>") == ["a=1"])
        #expect(fields("<select name=a><option value=1 disabled>One<option value=2>Two</select>") == ["a=2"])
        #expect(fields("<select name=a><option value=1>One<option value=2 selected>Two</select>") == ["a=2"])
        #expect(fields("<select name=a><option> One  more </option></select>") == ["a=One more"])
        #expect(fields("<select name=a></select>") == [])
        #expect(fields("<select name=a><option value=1 selected disabled>One<option value=2>Two</select>") == [])
    }

    @Test("A select of several options has the values of the selected ones, or none")
    func selectsOfSeveral() {
        #expect(fields("<select name=a multiple><option value=1>One<option value=2>Two</select>") == [])
        #expect(
            fields("<select name=a multiple><option value=1 selected>One<option value=2 selected>Two</select>")
                == ["a=1", "a=2"])
    }

    @Test("A disabled field, and a field in a disabled fieldset, is not sent")
    func disabledFields() {
        #expect(fields("<input name=a value=1 disabled><textarea name=b disabled>2</textarea>") == [])
        #expect(fields("<select name=a disabled><option value=1 selected>One</select><input name=c>") == ["c="])
        #expect(
            fields(
                """
                <fieldset disabled><input name=a value=1><fieldset><input name=b value=2></fieldset></fieldset>
                <fieldset><input name=c value=3></fieldset>
                """) == ["c=3"])
    }

    @Test("A box is sent when it is ticked, with the value on by default")
    func boxes() {
        #expect(fields("<input type=checkbox name=a><input type=checkbox name=b checked>") == ["b=on"])
        #expect(
            fields("<input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2 checked>")
                == ["a=1", "a=2"])
    }

    @Test("A form is sent with GET unless it says POST")
    func methods() {
        #expect(
            forms("<form></form><form method=get></form><form method=POST></form>").map(\.isPost) == [
                false, false, true,
            ])
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
