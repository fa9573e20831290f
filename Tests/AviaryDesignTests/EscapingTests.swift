import AviaryDesign
import Testing

@Suite struct EscapingTests {
    @Test("The five special characters of HTML are escaped")
    func fiveCharacters() {
        #expect(rendered { $0.text(#"& < > " '"#) } == "&amp; &lt; &gt; &quot; &#39;")
    }

    @Test("A quotation mark with a combining mark is escaped")
    func combiningMark() {
        #expect(rendered { $0.text("\"\u{301}<\u{338}") } == "&quot;\u{301}&lt;\u{338}")
    }

    @Test(
        "Other text is unchanged", arguments: ["", "Newt", "سلحفاة", "🦒 giraffe", "a\tb\nc\u{1}"])
    func unchanged(text: String) {
        #expect(rendered { $0.text(text) } == text)
    }

    @Test("A carriage return is escaped, and a NUL is replaced")
    func controlCharacters() {
        #expect(rendered { $0.text("a\r\nb\0c") } == "a&#13;\nb\u{FFFD}c")
    }

    @Test("A page is never longer than its limit, and records that it was cut off")
    func limit() {
        var html = HTML(limit: 10)
        html.text("12345")
        #expect(!html.isCutOff)
        html.text("<>")
        #expect(html.isCutOff && html.bytes.count <= 10)
        html.text("1")
        #expect(html.bytes.count <= 10, "nothing comes behind what is missing")
        var whole = HTML(limit: 10)
        whole.text("1234567890")
        #expect(!whole.isCutOff && whole.bytes.count == 10)
    }

    @Test("The value of an attribute cannot end the attribute")
    func attributeBreakout() {
        let markup = rendered { $0.void("input", .value(#"" autofocus onfocus="alert(1)"#)) }
        #expect(markup == #"<input value="&quot; autofocus onfocus=&quot;alert(1)">"#)
    }

    @Test("An attribute that is off or nil is omitted")
    func omitted() {
        #expect(rendered { $0.void("input", .flag("checked", false), Attribute("max", nil as String?)) } == "<input>")
    }

    @Test(
        "A number is written in plain digits, or grouped for display",
        arguments: [
            (0, "0", "0"), (7, "7", "7"), (999, "999", "999"), (1000, "1000", "1,000"), (12408, "12408", "12,408"),
            (-1_234_567, "-1234567", "-1,234,567"), (.min, "-9223372036854775808", "-9,223,372,036,854,775,808"),
        ])
    func numbers(number: Int, plain: String, grouped: String) {
        #expect(rendered { $0.text(number) } == plain)
        #expect(rendered { $0.grouped(number) } == grouped)
    }
}
