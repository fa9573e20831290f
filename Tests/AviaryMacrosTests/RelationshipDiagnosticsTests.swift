import Testing

@Suite("Diagnostics of @Relationship")
struct RelationshipDiagnosticsTests {
    @Test("The attribute is rejected on a reference, with a fix-it that removes it")
    func onReference() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Zoo.animals) var zoo: Reference<Zoo>?")
        #expect(
            result.messages == [
                "2: 'zoo' cannot have @Relationship: it belongs on a Related<…>; a Reference needs none"
            ])
        #expect(result.fixes["remove '@Relationship'"]?.contains("    var zoo: Reference<Zoo>?") == true)
    }

    @Test(
        "on a model it is refused; the fix-it makes the property a reference",
        arguments: [
            ("Scope", "Reference<Scope>"), ("Scope?", "Reference<Scope>?"), ("Lab.Scope?", "Reference<Lab.Scope>?"),
        ])
    func onModel(type: String, replacement: String) {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Scope.shots) var scope: \(type)")
        #expect(
            result.messages == [
                "2: 'scope' cannot hold a record: a relation to one record is a \(replacement) without @Relationship"
            ])
        #expect(result.fixes["use '\(replacement)'"]?.contains("    var scope: \(replacement)\n") == true)
    }

    @Test(
        "on a list of models it is refused; the fix-it makes the property a to-many relation",
        arguments: ["[Shot]", "[Shot] = []", "[Shot]?", "[Shot]? = nil", "Array<Shot>", "Set<Shot> = []"])
    func onList(type: String) {
        let result = MacroDiagnostics(
            ofProperty: "@Relationship(deleteRule: .cascade, inverse: \\Shot.scope) var shots: \(type)")
        #expect(
            result.messages == [
                "2: 'shots' cannot hold a list of records: a relation to many records is a Related<Shot>"
            ])
        let fixed = "@Relationship(deleteRule: .cascade, inverse: \\Shot.scope) var shots: Related<Shot>\n"
        #expect(result.fixes["use 'Related<Shot>'"]?.contains(fixed) == true)
    }

    @Test("on a value it is refused; the fix-it removes it", arguments: ["String", "[Int]", "Date?"])
    func onValue(type: String) {
        let result = MacroDiagnostics(ofProperty: "@Relationship var thing: \(type)")
        #expect(
            result.messages == [
                "2: 'thing' cannot have @Relationship: it belongs on a Related<…>; a Reference needs none"
            ])
        #expect(result.fixes["remove '@Relationship'"]?.contains("    var thing: \(type)\n") == true)
    }

    @Test(
        "A second @Relationship is rejected, with a fix-it that writes one with all arguments",
        arguments: [
            (
                "@Relationship(inverse: \\Shot.scope) @Relationship(deleteRule: .cascade)",
                "@Relationship(deleteRule: .cascade, inverse: \\Shot.scope)"
            ),
            ("@Relationship @Relationship", "@Relationship"),
            ("@Relationship @Aviary.Relationship(.symmetric)", "@Relationship(.symmetric)"),
        ])
    func secondRelationship(attributes: String, merged: String) {
        let result = MacroDiagnostics(ofProperty: "\(attributes) var shots: Related<Shot>")
        #expect(result.messages == ["2: 'shots' has more than one @Relationship: write all its arguments in the first"])
        #expect(result.fixes["use '\(merged)'"]?.contains("\n    \(merged) var shots: Related<Shot>\n") == true)
    }

    @Test("A second @Relationship with another value for the same argument is rejected without a fix-it")
    func contradictoryRelationships() {
        let result = MacroDiagnostics(
            ofProperty: "@Relationship(deleteRule: .deny, inverse: \\Shot.scope) @Relationship(deleteRule: .cascade) "
                + "var shots: Related<Shot>")
        #expect(result.messages == ["2: 'shots' has more than one @Relationship: write all its arguments in the first"])
        #expect(result.fixes.isEmpty)
    }

    @Test("a to-many relation has no list as its initial value; the fix-it removes it")
    func listOnRelation() {
        let result = MacroDiagnostics(
            ofProperty: "@Relationship(inverse: \\Shot.scope) var shots: Related<Shot> = []")
        #expect(result.messages == ["2: 'shots' holds no records: leave out its initial value, or write Related()"])
        #expect(result.fixes["remove the initial value"]?.contains("var shots: Related<Shot>\n") == true)
    }

    @Test("beside an initializer that does not set it, a to-many relation needs a value; the fix-it adds it")
    func withoutValue() {
        let result = MacroDiagnostics(
            ofProperty: """
                @Relationship(inverse: \\Shot.scope) var shots: Related<Shot>
                    var name: String
                    init(name: String) { self.name = name }
                """)
        #expect(
            result.messages == [
                "2: 'shots' needs the initial value Related(): the initializer of the struct does not set it"
            ])
        #expect(
            result.fixes["give it an initial value"]?.contains("var shots: Related<Shot> = Related()\n") == true)
    }

    @Test(
        "beside an initializer that sets it or calls another, a to-many relation needs no value",
        arguments: ["init() { self.shots = Related() }", "init(x: Int) { self.init() }"])
    func withInitializer(initializer: String) {
        let result = MacroDiagnostics(
            ofProperty: "@Relationship(inverse: \\Shot.scope) var shots: Related<Shot>\n    \(initializer)")
        #expect(result.messages.isEmpty)
    }

    @Test(
        "A to-many relation without the attribute is rejected, with a fix-it that adds it",
        arguments: ["Related", "Aviary.Related"])
    func missing(type: String) {
        let result = MacroDiagnostics(ofProperty: "var visits: \(type)<Visit>")
        #expect(
            result.messages == [
                "2: 'visits' needs @Relationship(inverse:) with the reference of Visit that points back"
            ])
        let fixed = "    @Relationship(inverse: \\Visit.<#reference#>) var visits: \(type)<Visit>"
        #expect(result.fixes["name the inverse"]?.contains(fixed) == true)
    }

    @Test("@Attribute is rejected on a to-many relation")
    func attribute() {
        let result = MacroDiagnostics(
            ofProperty: "@Attribute(.unique) @Relationship(inverse: \\Visit.animal) var visits: Related<Visit>"
        )
        #expect(result.messages == ["2: 'visits' cannot have @Attribute: a to-many relation is not stored"])
    }

    @Test("The attribute and the type can be qualified with the module name")
    func qualified() {
        #expect(
            MacroDiagnostics(
                ofProperty: "@Aviary.Relationship(inverse: \\Visit.animal) var visits: Aviary.Related<Visit>"
            ).messages.isEmpty)
    }

    @Test("An inverse of another model is rejected, with a fix-it")
    func inverseOfOtherModel() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Zoo.animal) var visits: Related<Visit>")
        #expect(result.messages == ["2: the inverse of a Related<Visit> is a property of Visit, not of Zoo"])
        #expect(result.fixes["use 'Visit'"]?.contains("@Relationship(inverse: \\Visit.animal) var visits") == true)
    }

    @Test("An inverse without its model is rejected, with a fix-it")
    func inverseWithoutModel() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\.animal) var visits: Related<Visit>")
        #expect(result.messages == ["2: the inverse is a property of Visit: begin the key path with its name"])
        #expect(result.fixes["use '\\Visit.animal'"]?.contains("@Relationship(inverse: \\Visit.animal) var") == true)
    }

    @Test("An unknown inverse in a relation of a model to itself is rejected")
    func unknownInverse() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Animal.mother) var young: Related<Animal>")
        #expect(result.messages == ["2: 'Animal' has no stored property 'mother' that could be the inverse"])
        #expect(
            MacroDiagnostics(
                ofProperty: """
                    @Relationship(inverse: \\Animal.mother) var young: Related<Animal>
                        var mother: Reference<Animal>?
                    """
            ).messages.isEmpty)
    }

    @Test("An inverse on both sides of a relation of a model to itself is rejected, with a fix-it")
    func inverseOnBothSides() {
        let result = MacroDiagnostics(
            ofProperty: """
                @Relationship(inverse: \\Animal.friendOf) var friends: Related<Animal>
                    @Relationship(deleteRule: .deny, inverse: \\Animal.friends) var friendOf: Related<Animal>
                """)
        #expect(result.messages == ["3: 'friends' names 'friendOf' as its inverse already; name it on one side only"])
        let fixed = "@Relationship(deleteRule: .deny) var friendOf: Related<Animal>"
        #expect(result.fixes["remove 'inverse: \\Animal.friends'"]?.contains(fixed) == true)
    }

    @Test(
        "The other side of a relation needs no arguments, and a symmetric relation needs no inverse",
        arguments: ["", "()", "(deleteRule: .deny, maximumModelCount: 3)", "(.symmetric, minimumModelCount: 1)"])
    func otherSide(arguments: String) {
        let result = MacroDiagnostics(ofProperty: "@Relationship\(arguments) var visits: Related<Visit>")
        #expect(result.messages.isEmpty)
    }
}
