import Testing

@Suite("@Model says what cannot be stored, and how to repair it")
struct ModelDiagnosticsTests {
    @Test(
        "a class is not a model; the fix-it makes it a struct",
        arguments: ["class", "final class", "public final class"])
    func aClass(kind: String) {
        let result = MacroDiagnostics(of: "@Model \(kind) Animal {\n}")
        #expect(result.messages == ["1: @Model can only be attached to a struct"])
        #expect(result.fixes["use a struct"]?.contains("struct Animal {") == true)
        #expect(result.fixes["use a struct"]?.contains("final") == false)
    }

    @Test("an enum is not a model")
    func anEnum() {
        #expect(
            MacroDiagnostics(of: "@Model enum Diet { case none }").messages == [
                "1: @Model can only be attached to a struct"
            ])
    }

    @Test("a model is not generic")
    func generic() {
        #expect(
            MacroDiagnostics(of: "@Model struct Box<Value> { var value: Value }").messages == [
                "1: a model cannot be generic: its table has one set of columns; declare a model for each type"
            ])
    }

    @Test("a property is a var", arguments: ["let name: String", "let name = \"Okapi\""])
    func constant(property: String) {
        let result = MacroDiagnostics(ofProperty: property)
        #expect(result.messages == ["2: 'name' must be a 'var': an editor changes it, and reading a record sets it"])
        #expect(result.fixes["use 'var'"]?.contains("var name") == true)
    }

    @Test("a type that no literal tells must be written; the fix-it leaves room for it")
    func unknownType() {
        let result = MacroDiagnostics(ofProperty: "var born = makeDate()")
        #expect(
            result.messages == ["2: 'born' needs a type annotation: @Model cannot tell the type of its initial value"])
        #expect(result.fixes["add a type annotation"]?.contains("var born: <#Type#> = makeDate()") == true)
    }

    @Test(
        "where the initial value names a type, the fix-it is that",
        arguments: [
            ("Date()", "Date"), ("Zoo.Diet()", "Zoo.Diet"), ("[String]()", "<#Type#>"), ("Zoo.make()", "<#Type#>"),
            (".now", "<#Type#>"),
        ])
    func constructed(value: String, type: String) {
        let result = MacroDiagnostics(ofProperty: "var born = \(value)")
        #expect(result.fixes["add a type annotation"]?.contains("var born: \(type) = \(value)") == true)
    }

    @Test("literals tell their type", arguments: ["1", "-1", "2.5", "true", "\"text\"", "\"\\(1)\""])
    func literal(value: String) {
        #expect(MacroDiagnostics(ofProperty: "var value = \(value)").messages.isEmpty)
    }

    @Test("a lazy property is not a column")
    func lazyProperty() {
        #expect(
            MacroDiagnostics(ofProperty: "lazy var size: Int = 3").messages == [
                "2: 'size' cannot be 'lazy': every stored property of a model is a column; make it a computed property"
            ])
    }

    @Test("a property wrapper is refused; the fix-it removes it")
    func propertyWrapper() {
        let result = MacroDiagnostics(ofProperty: "@Clamped var size: Int")
        #expect(
            result.messages == [
                "2: 'size' cannot have '@Clamped': a stored property of a model takes no property wrapper or other macro"
            ])
        #expect(result.fixes["remove '@Clamped'"]?.contains("    var size: Int") == true)
        #expect(result.fixes["remove '@Clamped'"]?.contains("@Clamped") == false)
    }

    @Test("a tuple is not a column", arguments: ["var size: (Int, Int)", "var (width, height) = (1, 2)"])
    func tuple(property: String) {
        #expect(
            MacroDiagnostics(ofProperty: property).messages == [
                "2: a tuple cannot be stored; declare a property for each of its elements"
            ])
    }

    @Test("a name that is no plain identifier cannot be a column's")
    func specialName() {
        #expect(
            MacroDiagnostics(ofProperty: "var `first name`: String").messages == [
                "2: 'first name' cannot name a column; use letters, digits and underscores"
            ])
        #expect(MacroDiagnostics(ofProperty: "var `default`: String").messages.isEmpty)
        #expect(MacroDiagnostics(ofProperty: "var größe: Double").messages.isEmpty)
    }

    @Test("a stored property is not inside #if")
    func conditional() {
        #expect(
            MacroDiagnostics(ofProperty: "#if DEBUG\nvar size: Int\n#endif").messages == [
                "3: a stored property of a model cannot be inside '#if': @Model does not know which branch is compiled"
            ])
    }

    @Test("an id is a RecordID")
    func identity() {
        #expect(
            MacroDiagnostics(ofProperty: "var id: UUID").messages == [
                "2: the 'id' of a model is a RecordID of the model itself; leave it out and @Model adds it"
            ])
        #expect(MacroDiagnostics(ofProperty: "var id = RecordID<Animal>()").messages.isEmpty)
    }

    @Test("one mistake does not hide another")
    func several() {
        #expect(MacroDiagnostics(ofProperty: "let name: String\nlazy var size = 3").messages.count == 2)
    }
}
