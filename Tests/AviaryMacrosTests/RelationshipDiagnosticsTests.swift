import Testing

@Suite("@Relationship belongs on a to-many relation")
struct RelationshipDiagnosticsTests {
    @Test("on a reference it is refused; the fix-it removes it")
    func onReference() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Zoo.animals) var zoo: Reference<Zoo>?")
        #expect(
            result.messages == [
                "2: 'zoo' cannot have @Relationship: it belongs on a Related<…>; a Reference needs none"
            ])
        #expect(result.fixes["remove '@Relationship'"]?.contains("    var zoo: Reference<Zoo>?") == true)
    }

    @Test(
        "a to-many relation without it names no inverse; the fix-it adds it", arguments: ["Related", "Aviary.Related"])
    func missing(type: String) {
        let result = MacroDiagnostics(ofProperty: "var visits: \(type)<Visit>")
        #expect(
            result.messages == [
                "2: 'visits' needs @Relationship(inverse:) with the reference of Visit that points back"
            ])
        let fixed = "    @Relationship(inverse: \\Visit.<#reference#>) var visits: \(type)<Visit>"
        #expect(result.fixes["name the inverse"]?.contains(fixed) == true)
    }

    @Test("@Attribute has no place on a to-many relation")
    func attribute() {
        let result = MacroDiagnostics(
            ofProperty: "@Attribute(.unique) @Relationship(inverse: \\Visit.animal) var visits: Related<Visit>"
        )
        #expect(result.messages == ["2: 'visits' cannot have @Attribute: a to-many relation is not stored"])
    }

    @Test("both marks may be written with the module's name")
    func qualified() {
        #expect(
            MacroDiagnostics(
                ofProperty: "@Aviary.Relationship(inverse: \\Visit.animal) var visits: Aviary.Related<Visit>"
            ).messages.isEmpty)
    }

    @Test("the inverse is a property of the related model; the fix-it names that model")
    func inverseOfOtherModel() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Zoo.animal) var visits: Related<Visit>")
        #expect(result.messages == ["2: the inverse of a Related<Visit> is a property of Visit, not of Zoo"])
        #expect(result.fixes["use 'Visit'"]?.contains("@Relationship(inverse: \\Visit.animal) var visits") == true)
    }

    @Test("the inverse's key path begins with its model; the fix-it adds it")
    func inverseWithoutModel() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\.animal) var visits: Related<Visit>")
        #expect(result.messages == ["2: the inverse is a property of Visit: begin the key path with its name"])
        #expect(result.fixes["use '\\Visit.animal'"]?.contains("@Relationship(inverse: \\Visit.animal) var") == true)
    }

    @Test("in a relation of a model to itself, an inverse that does not exist is seen")
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

    @Test("in a relation of a model to itself, an inverse that is named on both sides is seen; the fix-it removes one")
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
        "the other side of a many-to-many relation needs no arguments, and a symmetric one no inverse",
        arguments: ["", "()", "(deleteRule: .deny, maximumModelCount: 3)", "(.symmetric, minimumModelCount: 1)"])
    func otherSide(arguments: String) {
        let result = MacroDiagnostics(ofProperty: "@Relationship\(arguments) var visits: Related<Visit>")
        #expect(result.messages.isEmpty)
    }
}
