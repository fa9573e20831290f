import Testing

@Suite("#Unique and #Index name stored properties of their model")
struct PropertyGroupDiagnosticsTests {
    @Test("the model may be called Self, and left out", arguments: ["<Animal>", "<Self>", "", "<Zoo.Animal>"])
    func model(argument: String) {
        #expect(MacroDiagnostics(ofProperty: "#Unique\(argument)([\\.name])\n    var name: String").messages.isEmpty)
    }

    @Test(
        "another model's properties are that model's matter; the fix-it names this one", arguments: ["Unique", "Index"])
    func otherModel(macro: String) {
        let result = MacroDiagnostics(ofProperty: "#\(macro)<Zoo>([\\.name])\n    var name: String")
        #expect(result.messages == ["2: #\(macro) in Animal is about Animal"])
        #expect(result.fixes["use 'Animal'"]?.contains("#\(macro)<Animal>([\\.name])") == true)
    }

    @Test(
        "only stored properties",
        arguments: [
            "\\.age", "\\.cache", "\\.visits", "\\.id", "\\.name.count", "\\.nobody", "names",
        ])
    func unknownProperty(expression: String) {
        let result = MacroDiagnostics(
            ofProperty: """
                #Index<Animal>([\\.name, \(expression)])
                    var name: String
                    var age: Int { 3 }
                    @Transient var cache = 3
                    @Relationship(inverse: \\Visit.animal) var visits: Related<Visit>
                """)
        #expect(
            result.messages == [
                "2: '\(expression)' is no stored property of Animal: #Index takes key paths such as \\.title"
            ])
    }

    @Test("a property is once in a list")
    func repeated() {
        #expect(
            MacroDiagnostics(ofProperty: "#Unique<Animal>([\\.name, \\.name])\n    var name: String").messages == [
                "2: 'name' is twice in one list of #Unique"
            ])
    }

    @Test("there is at least one list, and it is not empty", arguments: ["#Unique<Animal>()", "#Unique<Animal>([])"])
    func empty(macro: String) {
        #expect(
            MacroDiagnostics(ofProperty: macro).messages == [
                "2: #Unique needs lists of properties, such as [\\.title, \\.year]"
            ])
    }

    @Test(
        "outside of a model nobody would read it",
        arguments: ["struct Animal { #Unique<Animal>([\\.name]) }", "#Unique<Animal>([\\.name])"])
    func outside(source: String) {
        #expect(
            MacroDiagnostics(of: source).messages == ["1: #Unique belongs inside of a struct that has @Model"])
    }
}
