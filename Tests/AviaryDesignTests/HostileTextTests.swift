import AviaryDesign
import Testing

/// Tests that no data can change the structure of a page.
@Suite struct HostileTextTests {
    static let texts = [
        "<script>alert(1)</script>",
        #""><img src=x onerror=alert(1)>"#,
        "' onmouseover='alert(1)",
        #"jaVasCript:/*-/*`/*\`/*'/*"/**/(/* */oNcliCk=alert() )//</stYle/</titLe/</teXtarEa/</scRipt/--!>\x3csVg/<sVg/oNloAd=alert()//>"#,
        "</textarea></title></option></dialog><form action=//evil>",
        "\"\u{301}\u{20DD}><b\u{338}>",
        "<!--", "]]>", "\r\n\t\0 = `",
    ]

    @Test("The structure of a component does not depend on its text", arguments: texts)
    func components(text: String) {
        for (plain, hostile) in zip(everyComponent("plain"), everyComponent(text)) {
            let expected = Markup(bytes(of: plain)).elements
            let actual = Markup(bytes(of: hostile)).elements
            #expect(actual == expected, "\(type(of: hostile))")
            #expect(!String(decoding: bytes(of: hostile), as: UTF8.self).lowercased().contains("<script"))
        }
    }

    @Test("The structure of a page does not depend on its text", arguments: texts)
    func pages(text: String) {
        let sheet = animalSheet()
        func markup(_ text: String) -> Markup {
            let person = AccountMenu(name: text, role: text, href: text, signOutAction: text)
            return Markup(page(text, csrf: text, person: person) { $0.render(sheet) })
        }
        #expect(markup(text).elements == markup("plain").elements)
    }

    @Test("No page has a script, a style or an event handler inline")
    func noInlineCode() {
        let markup = Markup(page("plain") { $0.render(everyField("plain")) })
        #expect(markup.all("script").map { $0["src"] } == ["/a.js"])
        #expect(markup.all("style").isEmpty)
        for attribute in markup.elements.flatMap(\.attributes) {
            #expect(attribute.name != "style" && !attribute.name.hasPrefix("on"))
        }
    }

    private func bytes(of component: any Component) -> [UInt8] {
        var html = HTML()
        component.render(into: &html)
        return html.bytes
    }
}
