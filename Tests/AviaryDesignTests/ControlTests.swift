import AviaryDesign
import Testing

@Suite struct ControlTests {
    private func markup(_ control: Control) -> Markup {
        Markup(animalSheet(fields: [Field(name: "x", label: "X", control: control)]))
    }

    private let options = [Option(value: "1", label: "Mammal"), Option(value: "2", label: "Bird")]

    @Test("A toggle sends false, followed by true if it is on")
    func toggle() {
        let inputs = markup(.toggle(isOn: true)).all("input").filter { $0["name"] == "x" }
        #expect(inputs.map { $0["type"] } == ["hidden", "checkbox"])
        #expect(inputs.map { $0["value"] } == ["false", "true"])
        #expect(inputs.last?["checked"] != nil)
    }

    @Test("The prompt of a select comes first and has an empty value")
    func prompt() {
        let shown = markup(.select(options: options, selected: "2", prompt: "Select a category")).all("option")
        #expect(shown.map { $0["value"] } == ["", "1", "2"])
        #expect(shown.map { $0["selected"] != nil } == [false, false, true])
    }

    @Test("The label of segments points to the selected segment, or else to the first")
    func segments() {
        func reached(_ selected: String?) -> String? {
            markup(.segments(options: options, selected: selected)).first("input") { $0["id"] == "field-x" }?["value"]
        }
        #expect(reached("2") == "2")
        #expect(reached(nil) == "1")
    }

    @Test("Text keeps its leading line break")
    func leadingLineBreak() {
        let html = rendered {
            $0.render(animalSheet(fields: [Field(name: "x", label: "X", control: .multiline(value: "\na"))]))
        }
        #expect(html.contains(">\n\na</textarea>"))
    }

    @Test("An invalid number is shown as typed")
    func wrongNumber() {
        let input = markup(.number(value: "twelve", step: "1")).first("input") { $0["name"] == "x" }
        #expect(input?["type"] == "text")
        #expect(input?["value"] == "twelve")
    }

    @Test("A fixed value has no input")
    func fixed() {
        #expect(markup(.fixed(text: "id")).all("input").filter { $0["name"] == "x" }.isEmpty)
    }
}
