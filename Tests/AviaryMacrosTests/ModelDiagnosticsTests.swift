import Testing

@Suite("Diagnostics of @Model")
struct ModelDiagnosticsTests {
    @Test(
        "A class is rejected, with a fix-it that makes it a struct",
        arguments: ["class", "final class", "public final class"])
    func aClass(kind: String) {
        let result = MacroDiagnostics(of: "@Model \(kind) Animal {\n}")
        #expect(
            result.messages == [
                "1: a model is a struct, because its records are values: write 'struct', and save a changed copy with 'update'"
            ])
        #expect(result.fixes["use a struct"]?.contains("struct Animal {") == true)
        #expect(result.fixes["use a struct"]?.contains("final") == false)
    }

    @Test("An enum is rejected")
    func anEnum() {
        #expect(
            MacroDiagnostics(of: "@Model enum Diet { case none }").messages == [
                "1: @Model can only be attached to a struct"
            ])
    }

    @Test("A generic struct is rejected")
    func generic() {
        #expect(
            MacroDiagnostics(of: "@Model struct Box<Value> { var value: Value }").messages == [
                "1: a model cannot be generic: its table has one set of columns; declare a model for each type"
            ])
    }

    @Test(
        "A constant is rejected, with a fix-it that makes it a variable",
        arguments: ["let name: String", "let name = \"Okapi\""])
    func constant(property: String) {
        let result = MacroDiagnostics(ofProperty: property)
        #expect(result.messages == ["2: 'name' must be a 'var': an editor changes it, and reading a record sets it"])
        #expect(result.fixes["use 'var'"]?.contains("var name") == true)
    }

    @Test("A property of unknown type is rejected, with a fix-it that adds an annotation")
    func unknownType() {
        let result = MacroDiagnostics(ofProperty: "var born = makeDate()")
        #expect(
            result.messages == ["2: 'born' needs a type annotation: @Model cannot tell the type of its initial value"])
        #expect(result.fixes["add a type annotation"]?.contains("var born: <#Type#> = makeDate()") == true)
    }

    @Test(
        "The fix-it uses the type that the initial value names",
        arguments: [
            ("Foundation.Date()", "Foundation.Date"), ("Zoo.Diet()", "Zoo.Diet"), ("[String]()", "<#Type#>"),
            ("Zoo.make()", "<#Type#>"),
            (".now", "<#Type#>"),
        ])
    func constructed(value: String, type: String) {
        let result = MacroDiagnostics(ofProperty: "var born = \(value)")
        #expect(result.fixes["add a type annotation"]?.contains("var born: \(type) = \(value)") == true)
    }

    @Test(
        "The type of a common value is inferred", arguments: ["Date()", "Date.now", "UUID()", "CalendarDate.today"])
    func common(value: String) {
        #expect(MacroDiagnostics(ofProperty: "var value = \(value)").messages.isEmpty)
    }

    @Test("The type of a case of an enum of the model is inferred, and no other member's")
    func enumCase() {
        let declaration = "enum Kind: String, Choice { case bolt, `other`; static let usual = Kind.bolt }"
        for value in ["Kind.bolt", "Kind.other"] {
            #expect(MacroDiagnostics(ofProperty: "\(declaration)\n    var kind = \(value)").messages.isEmpty)
        }
        for value in ["Kind.usual", "Zoo.bolt", "Zoo.Kind.bolt"] {
            #expect(
                MacroDiagnostics(ofProperty: "\(declaration)\n    var kind = \(value)").messages == [
                    "3: 'kind' needs a type annotation: @Model cannot tell the type of its initial value"
                ])
        }
    }

    @Test("A property without a known type causes no second error where a list names it")
    func followUp() {
        let result = MacroDiagnostics(ofProperty: "#Index<Animal>([\\.born])\n    var born = makeDate()")
        #expect(
            result.messages == ["3: 'born' needs a type annotation: @Model cannot tell the type of its initial value"])
    }

    @Test("The type of a literal is inferred", arguments: ["1", "-1", "2.5", "true", "\"text\"", "\"\\(1)\""])
    func literal(value: String) {
        #expect(MacroDiagnostics(ofProperty: "var value = \(value)").messages.isEmpty)
    }

    @Test("A lazy property is rejected")
    func lazyProperty() {
        #expect(
            MacroDiagnostics(ofProperty: "lazy var size: Int = 3").messages == [
                "2: 'size' cannot be 'lazy': every stored property of a model is a column; make it a computed property"
            ])
    }

    @Test("A property wrapper is rejected, with a fix-it that removes the wrapper")
    func propertyWrapper() {
        let result = MacroDiagnostics(ofProperty: "@Clamped var size: Int")
        #expect(
            result.messages == [
                "2: 'size' cannot have '@Clamped': a stored property of a model takes no property wrapper or other macro"
            ])
        #expect(result.fixes["remove '@Clamped'"]?.contains("    var size: Int") == true)
        #expect(result.fixes["remove '@Clamped'"]?.contains("@Clamped") == false)
    }

    @Test("A tuple is rejected", arguments: ["var size: (Int, Int)", "var (width, height) = (1, 2)"])
    func tuple(property: String) {
        #expect(
            MacroDiagnostics(ofProperty: property).messages == [
                "2: a tuple cannot be stored; declare a property for each of its elements"
            ])
    }

    @Test("A name that is not a plain identifier is rejected")
    func specialName() {
        #expect(
            MacroDiagnostics(ofProperty: "var `first name`: String").messages == [
                "2: 'first name' cannot name a column; use letters, digits and underscores"
            ])
        #expect(MacroDiagnostics(ofProperty: "var `default`: String").messages.isEmpty)
        #expect(MacroDiagnostics(ofProperty: "var größe: Double").messages.isEmpty)
    }

    @Test("A stored property inside #if is rejected")
    func conditional() {
        #expect(
            MacroDiagnostics(ofProperty: "#if DEBUG\nvar size: Int\n#endif").messages == [
                "3: a stored property of a model cannot be inside '#if': @Model does not know which branch is compiled"
            ])
    }

    @Test(
        "an id is a RecordID; the fix-it removes any other",
        arguments: [
            "var id: UUID", "let id: UUID", "let id = UUID()", "var id = UUID()", "@Attribute(.unique) var id: UUID",
            "var id: UUID = UUID()", "var id: Int", "let id = 1",
        ])
    func identity(property: String) {
        let result = MacroDiagnostics(ofProperty: property)
        #expect(
            result.messages == [
                "2: the 'id' of a model is a RecordID of the model itself; leave it out and @Model adds it"
            ])
        #expect(result.fixes["remove 'id'"]?.contains(" id") == false)
    }

    @Test(
        "an id of the model itself may be declared",
        arguments: [
            "var id = RecordID<Animal>()", "var id: RecordID<Animal> = .init()", "var id: ID", "var id = Self.ID()",
            "var id = Aviary.RecordID<Animal>()",
        ])
    func ownIdentity(property: String) {
        #expect(MacroDiagnostics(ofProperty: property).messages.isEmpty)
    }

    @Test("an id of the model itself is a var")
    func constantIdentity() {
        #expect(
            MacroDiagnostics(ofProperty: "let id: RecordID<Animal>").messages == [
                "2: 'id' must be a 'var': an editor changes it, and reading a record sets it"
            ])
    }

    @Test(
        "another record's id is a reference; the fix-it says so",
        arguments: [("RecordID<Zoo>", "Reference<Zoo>"), ("RecordID<Zoo>?", "Reference<Zoo>?")])
    func otherIdentity(type: String, replacement: String) {
        let result = MacroDiagnostics(ofProperty: "var zoo: \(type)")
        #expect(
            result.messages == [
                "2: 'zoo' cannot be the id of another record: a record refers to another by a \(replacement)"
            ])
        #expect(result.fixes["use '\(replacement)'"]?.contains("    var zoo: \(replacement)\n") == true)
    }

    @Test("Each problem is reported")
    func several() {
        #expect(MacroDiagnostics(ofProperty: "let name: String\nlazy var size = 3").messages.count == 2)
    }
}
