import Testing

@Suite("Diagnostics of #Unique and #Index")
struct PropertyGroupDiagnosticsTests {
    @Test("The model can be named, be Self or be omitted", arguments: ["<Animal>", "<Self>", "", "<Zoo.Animal>"])
    func model(argument: String) {
        #expect(MacroDiagnostics(ofProperty: "#Unique\(argument)([\\.name])\n    var name: String").messages.isEmpty)
    }

    @Test(
        "Another model is rejected, with a fix-it that names the enclosing model", arguments: ["Unique", "Index"])
    func otherModel(macro: String) {
        let result = MacroDiagnostics(ofProperty: "#\(macro)<Zoo>([\\.name])\n    var name: String")
        #expect(result.messages == ["2: #\(macro) in Animal is about Animal"])
        #expect(result.fixes["use 'Animal'"]?.contains("#\(macro)<Animal>([\\.name])") == true)
    }

    @Test(
        "An expression that is not a stored property is rejected",
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

    @Test("A repeated property in a list is rejected")
    func repeated() {
        #expect(
            MacroDiagnostics(ofProperty: "#Unique<Animal>([\\.name, \\.name])\n    var name: String").messages == [
                "2: 'name' is twice in one list of #Unique"
            ])
    }

    @Test(
        "A macro without lists or with an empty list is rejected",
        arguments: ["#Unique<Animal>()", "#Unique<Animal>([])"])
    func empty(macro: String) {
        #expect(
            MacroDiagnostics(ofProperty: macro).messages == [
                "2: #Unique needs lists of properties, such as [\\.title, \\.year]"
            ])
    }

    @Test(
        "The macro is rejected outside a model",
        arguments: ["struct Animal { #Unique<Animal>([\\.name]) }", "#Unique<Animal>([\\.name])"])
    func outside(source: String) {
        #expect(
            MacroDiagnostics(of: source).messages == ["1: #Unique belongs inside of a struct that has @Model"])
    }
}
