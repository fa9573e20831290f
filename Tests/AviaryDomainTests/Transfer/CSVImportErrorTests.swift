import AviaryDomain
import Foundation
import Testing

@Suite("Errors in a CSV header")
struct CSVHeaderErrorTests {
    @Test("A file without a header is rejected", arguments: ["", "\n\n", "\u{FEFF}"])
    func empty(text: String) async {
        #expect(await importError(text) == "The file is empty. Put the column names in its first line.")
    }

    @Test("A malformed header is rejected")
    func malformedHeader() async {
        #expect(
            await importError("code,\"note\nN1,x\n")
                == "line 1: A quoted field starts here and never ends. Add the closing quote.")
    }

    @Test("The separator is the one that the header uses", arguments: [",", ";", "\t"])
    func separator(separator: String) async throws {
        let text = [["code", "note"], ["N1", "a;,\tb"].map { "\"\($0)\"" }].map { $0.joined(separator: separator) }
        let plan = try await plan(text.joined(separator: "\n") + "\n")
        #expect(plan.inserts.map { [$0.values["code"], $0.values["note"]] } == [[.text("N1"), .text("a;,\tb")]])
    }

    @Test("A separator that is given is not replaced by another one of the header")
    func givenSeparator() throws {
        let source = CSVSource(Array("code;note\nN1;x\n".utf8), separator: CSVReader.comma)
        #expect(try source.columns() == ["code;note"])
    }

    @Test("With names, the columns that are not mapped fill the properties of their names")
    func byName() async throws {
        func values(_ mapping: String...) async throws -> [[FieldValue?]] {
            let records = RecordImport(
                model: specimenSchema, schema: try importSchema(),
                mapping: try mapping.map(FieldMapping.init(parsing:)), mapsByName: true)
            let plan = try await records.plan(
                Array("ID,code,note\nN1,x,read\n".utf8), lookUp: StoredInMemory { _, _ in [] })
            return plan.inserts.map { [$0.values["code"], $0.values["note"]] }
        }
        #expect(try await values("code=ID") == [[.text("N1"), .text("read")]])
        #expect(try await values("note=").map(\.first) == [.text("x")])
        #expect(try await values("note=").map(\.last) != [.text("read")])
    }

    @Test("A column name can contain a semicolon if there are several columns")
    func semicolonInName() async {
        #expect(await importError("code,a;b\nN1,x\n") == nil)
    }

    @Test("The unused columns are those that match no property or are not mapped")
    func unused() throws {
        let source = CSVSource(Array("id,Code,nota,note,\n".utf8)), schema = try importSchema()
        #expect(try RecordImport(model: specimenSchema, schema: schema).unusedColumns(of: source) == ["nota", ""])
        let mapped = RecordImport(
            model: specimenSchema, schema: schema, mapping: [try FieldMapping(parsing: "code=nota")])
        #expect(try mapped.unusedColumns(of: source) == ["id", "Code", "note", ""])
    }

    @Test("A mapping to an unknown property is rejected")
    func unknownProperty() async {
        #expect(
            await importError("ID\n", mapping: ["name=ID"])
                == "Specimen has no property “name”. Available: code, note, bodyMass, diet, isAdult and species.")
    }

    @Test("A mapping of an unknown column is rejected with a list of the columns")
    func unknownColumn() async {
        #expect(
            await importError("ID,Body Mass (g)\n", mapping: ["code=Id"])
                == "The file has no column “Id”. Available: “ID” and “Body Mass (g)”.")
    }

    @Test("A mapping of a duplicate column is rejected")
    func ambiguousColumn() async {
        #expect(
            await importError("ID,ID\n", mapping: ["code=ID"])
                == "The file has the column “ID” more than once. Rename the duplicates.")
    }

    @Test("Two columns for one property are rejected")
    func mappedTwice() async {
        let message = "Two columns are mapped to code. Map only one."
        #expect(await importError("ID,Tag\n", mapping: ["code=ID", "code=Tag"]) == message)
        #expect(await importError("code,Code\n") == message)
    }

    @Test("A mapping to a to-many relation is rejected")
    func toMany() async {
        #expect(
            await importError("code,visits\n", mapping: ["code=code", "visits=visits"])
                == "visits is a to-many relation and can’t be imported. Import Visit with a column for its reference.")
    }

    @Test("A file whose columns match no property is rejected")
    func nothingMapped() async {
        #expect(
            await importError("ID,Tag\n") == "No column matches a property "
                + "(code, note, bodyMass, diet, isAdult and species). Map some of the columns: “ID” and “Tag”.")
    }

    @Test("A page names the fields of a header's error by their labels")
    func labels() {
        let errors: [(ImportError, String)] = [
            (
                .nothingMapped(known: ["Tag"], properties: ["code", "bodyMass"]),
                "No column matches a field (Code and Body mass). Map some of the columns: “Tag”."
            ),
            (
                .missingProperties(["bodyMass"], model: "Specimen"),
                "Specimen needs a value for Body mass. Map a column to it."
            ),
            (
                .missingProperties(["bodyMass", "code"], model: "Specimen"),
                "Specimen needs a value for Body mass and Code. Map a column to each."
            ),
            (.mappedTwice(property: "bodyMass"), "Two columns are mapped to Body mass. Map only one."),
            (
                .unmatched(property: "id"),
                "No column is mapped to ID, which identifies the records. Map a column to it."
            ),
        ]
        for (error, words) in errors { #expect(error.words(in: specimenSchema) == words) }
    }

    @Test("A required property with neither a column nor a default is an error")
    func missingProperty() async {
        #expect(
            await importError("note\nx\n") == "Specimen needs a value for code. Name a column, as in "
                + "--map code=Column, or one value for all records: --set code=…")
    }
}

@Suite("Errors in CSV lines")
struct CSVLineErrorTests {
    @Test("Each invalid value is reported with its line and column")
    func values() async {
        #expect(
            await importError("Code,bodyMass,diet\nN1,heavy,none\n\n,1,herbivorous\n") == """
                line 2: bodyMass: Enter a whole number, such as 12.
                line 2: diet: Choose one of: herbivorous, carnivorous.
                line 4: Code: The specimen needs a code.
                """)
    }

    @Test("A null marker in a required column is an error")
    func missingRequired() async {
        #expect(await importError("code\nNA\n", nullMarkers: ["NA"]) == "line 2: code: The specimen needs a code.")
    }

    @Test("A null marker in a choice without a default is an error")
    func missingChoice() async {
        let specimen = model("Specimen", property("diet", .choice(["herbivorous"])))
        #expect(
            await importError("diet\nNA\n", nullMarkers: ["NA"], specimen: specimen) == "line 2: diet: Choose a diet.")
    }

    @Test("Malformed records are reported among the other errors")
    func malformed() async {
        #expect(
            await importError("code,note\nN1\nN2,\"a\"b\n,x\nN3,\"open\n") == """
                line 2: This record has 1 field, but the header has 2. Quote fields that contain commas.
                line 3: Text follows a closing quote. Write quotes inside a field twice.
                line 4: code: The specimen needs a code.
                line 5: A quoted field starts here and never ends. Add the closing quote.
                """)
    }

    @Test("A repeated unique value is reported with the line that had it first")
    func repeatedUnique() async {
        #expect(
            await importError("code\nN1\nN2\nN1\nN1\n") == """
                line 4: code: Line 2 has the same value. Values must be unique.
                line 5: code: Line 2 has the same value. Values must be unique.
                """)
    }

    @Test("A reference to an unknown record is an error")
    func unknownReference() async {
        #expect(
            await importError("code,species\nN1,Adelie\nN2,Adelie\n") == """
                line 2: species: No species has this name.
                line 3: species: No species has this name.
                """)
    }

    @Test("A related record that needs more than its title cannot be created")
    func incompleteRelated() async {
        let species = model(
            "Species", property("name", .string, attributes: [.required]),
            property("genus", .string, attributes: [.required])
        )
        #expect(
            await importError("code,species\nN1,Adelie\n", createRelated: true, species: species)
                == "line 2: species: This species doesn’t exist and can’t be added, because it also needs a genus.")
    }

    @Test("A reference to the imported model itself creates no record")
    func selfReference() async throws {
        let tree = model("Tree", property("name", .string), property("parent", .toOne(model: "Tree"), isOptional: true))
        let settings = RecordImport(model: tree, schema: try Schema([tree]), createRelated: true)
        await #expect(
            throws: ImportError.lines(
                [
                    LineError(
                        line: 3,
                        message:
                            "parent: This tree doesn’t exist yet. Import the referenced records first, in a separate file."
                    )
                ], more: 0)
        ) {
            try await settings.plan(Array("name,parent\nRoot,\nLeaf,Root\n".utf8), lookUp: NothingStored())
        }
    }

    @Test("The first hundred errors are listed, and the rest are counted")
    func many() async {
        let lines = (0..<1250).map { "N\($0),heavy\n" }.joined()
        let message = await importError("code,bodyMass\n" + lines) ?? ""
        let listed = message.split(separator: "\n")
        #expect(listed.count == 101)
        #expect(listed.last == "and 1,150 more")
    }

    @Test("No message quotes values of the file")
    func redacted() async {
        let message = await importError("code,bodyMass,diet,species\nsecret,secret,secret,secret\nsecret,1,,\n") ?? ""
        #expect(message.split(separator: "\n").count == 4)
        #expect(!message.contains("secret"))
    }

    @Test("A store error during a lookup ends the import")
    func lookUpFails() async throws {
        let settings = RecordImport(model: specimenSchema, schema: try importSchema())
        await #expect(throws: StoreError.unavailable("closed")) {
            try await settings.plan(
                Array("code,species\nN1,Adelie\n".utf8),
                lookUp: StoredInMemory { _, _ in
                    throw StoreError.unavailable("closed")
                })
        }
    }
}
