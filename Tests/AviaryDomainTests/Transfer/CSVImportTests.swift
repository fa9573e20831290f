import AviaryDomain
import Foundation
import Testing

@Suite("Importing a CSV file")
struct CSVImportTests {
    @Test("Without mappings, a column fills the property with its name or label")
    func matching() async throws {
        let plan = try await plan("code,BODY MASS,Colour\nN1,3750,red\nN2,,blue\n")
        #expect(plan.inserts.map(\.values["code"]) == [.text("N1"), .text("N2")])
        #expect(plan.inserts.map(\.values["bodyMass"]) == [.integer(3750), .null])
        #expect(plan.counts == ["Specimen": 2] && plan.lineCount == 2)
    }

    @Test("With mappings, only mapped columns are read, and one column can fill two properties")
    func mapping() async throws {
        let plan = try await plan("ID,note\nN1,unread\n", mapping: ["code=ID", "note=ID"])
        #expect(plan.inserts.first?.values["note"] == .text("N1"))
    }

    @Test("A property without a column gets its default")
    func defaults() async throws {
        let insert = try #require(try await plan("code\nN1\n").inserts.first)
        #expect(
            insert.values == [
                "code": .text("N1"), "note": .text(""), "bodyMass": .null, "diet": .text("carnivorous"),
                "isAdult": .integer(1),
                "species": .null,
            ])
    }

    @Test("Each record gets its own id, and the change set keeps the order of the file")
    func changeSet() async throws {
        let plan = try await plan("code\nN3\nN1\nN2\n")
        let changeSet = plan.changeSet(author: "ada")
        #expect(changeSet.author == "ada" && changeSet.changes == plan.changes)
        #expect(plan.inserts.map(\.values["code"]) == [.text("N3"), .text("N1"), .text("N2")])
        #expect(Set(plan.inserts.map(\.id)).count == 3)
    }

    @Test("A null marker or an empty cell stands for nil or the default of the property", arguments: ["NA", ""])
    func missing(cell: String) async throws {
        let text = "code,Body mass,diet,isAdult,species\nN1,\(cell),\(cell),\(cell),\(cell)\n"
        let insert = try #require(try await plan(text, nullMarkers: ["NA"]).inserts.first)
        #expect(insert.values["bodyMass"] == .null && insert.values["species"] == .null)
        #expect(insert.values["diet"] == .text("carnivorous") && insert.values["isAdult"] == .integer(1))
    }

    @Test("A marker that is not declared is text")
    func undeclaredMarker() async throws {
        #expect(try await plan("code\nNA\n").inserts.first?.values["code"] == .text("NA"))
    }

    @Test("A choice is matched by its raw value, ignoring case")
    func choices() async throws {
        let plan = try await plan("code,diet\nN1,herbivorous\nN2,HERBIVOROUS\nN3, Carnivorous \n")
        #expect(
            plan.inserts.map(\.values["diet"]) == [.text("herbivorous"), .text("herbivorous"), .text("carnivorous")])
    }

    @Test("A reference is found by its title and looked up once")
    func references() async throws {
        let adelie = UUID()
        let asked = Counter()
        let settings = RecordImport(model: specimenSchema, schema: try importSchema())
        let plan = try await settings.plan(
            Array("code,species\nN1,Adelie\nN2,Adelie\n".utf8),
            lookUp: StoredInMemory { model, values in
                guard model.name == "Species" else { return [] }
                #expect(values == ["name": .text("Adelie")])
                asked.count += 1
                return [adelie]
            })
        #expect(plan.inserts.map(\.values["species"]) == [adelie.fieldValue, adelie.fieldValue])
        #expect(plan.counts == ["Specimen": 2])
        #expect(asked.count == 1)
    }

    @Test("A unique value that is already stored is an error on its line")
    func storedUnique() async throws {
        let settings = RecordImport(model: specimenSchema, schema: try importSchema())
        await #expect(
            throws: ImportError.lines(
                [LineError(line: 3, message: "code: This value already exists. Values must be unique.")], more: 0
            )
        ) {
            try await settings.plan(
                Array("code\nN1\nN2\n".utf8),
                lookUp: StoredInMemory { _, values in
                    values == ["code": .text("N2")] ? [UUID()] : []
                })
        }
    }

    @Test("A title that several records share is an error on its line")
    func ambiguousTitle() async throws {
        for createRelated in [false, true] {
            let settings = RecordImport(model: specimenSchema, schema: try importSchema(), createRelated: createRelated)
            await #expect(
                throws: ImportError.lines(
                    [
                        LineError(
                            line: 3,
                            message:
                                "species: More than one species has this name. Enter the ID from the record’s address in the "
                                + "admin, or give each record its own name."
                        )
                    ], more: 0)
            ) {
                try await settings.plan(
                    Array("code,species\nN1,Gentoo\nN2,Adelie\n".utf8),
                    lookUp: StoredInMemory { model, values in
                        guard model.name == "Species" else { return [] }
                        return values == ["name": .text("Adelie")] ? [UUID(), UUID()] : [UUID()]
                    })
            }
        }
    }

    @Test("A reference can be an id in any case, and an unknown id is an error")
    func referenceByID() async throws {
        let adelie = UUID.version7()
        let settings = RecordImport(model: specimenSchema, schema: try importSchema(), createRelated: true)
        func plan(_ cell: String) async throws -> ImportPlan {
            try await settings.plan(
                Array("code,species\nN1,\(cell)\n".utf8), lookUp: StoredInMemory(known: [adelie]) { _, _ in [] })
        }
        #expect(try await plan(adelie.canonicalText).inserts.map(\.values["species"]) == [adelie.fieldValue])
        #expect(
            try await plan(" \(adelie.uuidString.uppercased()) ").inserts.map(\.values["species"]) == [
                adelie.fieldValue
            ])
        await #expect(
            throws: ImportError.lines(
                [LineError(line: 2, message: "species: No species has this ID.")], more: 0)
        ) {
            try await plan(UUID().uuidString)
        }
    }

    @Test("A title that looks like an id is matched as a title first")
    func titleLikeID() async throws {
        let title = UUID.version7(), titled = UUID.version7()
        let settings = RecordImport(model: specimenSchema, schema: try importSchema())
        let plan = try await settings.plan(
            Array("code,species\nN1,\(title.canonicalText)\n".utf8),
            lookUp: StoredInMemory(known: [title]) { model, _ in model.name == "Species" ? [titled] : [] }
        )
        #expect(plan.inserts.map(\.values["species"]) == [titled.fieldValue])
    }

    @Test("Records without a title property are referenced by id")
    func referenceWithoutTitle() async throws {
        let number = model("Species", property("number", .integer))
        let known = UUID.version7()
        let settings = RecordImport(
            model: specimenSchema, schema: try importSchema(species: number), createRelated: true)
        func plan(_ cell: String) async throws -> ImportPlan {
            try await settings.plan(
                Array("code,species\nN1,\(cell)\n".utf8), lookUp: StoredInMemory(known: [known]) { _, _ in [] })
        }
        #expect(try await plan(known.canonicalText).inserts.map(\.values["species"]) == [known.fieldValue])
        await #expect(
            throws: ImportError.lines(
                [
                    LineError(
                        line: 2,
                        message: "species: Enter the ID of a species. This model has no title to search by."
                    )
                ], more: 0)
        ) {
            try await plan("7")
        }
    }

    @Test("With createRelated, an unknown title creates one record before the records that refer to it")
    func createRelated() async throws {
        let gentoo = UUID()
        let plan = try await plan(
            "code,species\nN1,Adelie\nN2,Gentoo\nN3,Adelie\nN4,adelie\n", createRelated: true,
            existing: ["Gentoo": gentoo]
        )
        #expect(plan.inserts.map(\.model) == ["Species", "Species", "Specimen", "Specimen", "Specimen", "Specimen"])
        #expect(plan.inserts.prefix(2).map(\.values) == [["name": .text("Adelie")], ["name": .text("adelie")]])
        let ids = plan.inserts.prefix(2).map(\.id.fieldValue)
        #expect(plan.inserts.dropFirst(2).map(\.values["species"]) == [ids[0], gentoo.fieldValue, ids[0], ids[1]])
        #expect(plan.counts == ["Species": 2, "Specimen": 4] && plan.lineCount == 4)
    }

    @Test("Titles are compared bytewise")
    func titleBytes() async throws {
        let plan = try await plan("code,species\nN1,Ad\u{E9}lie\nN2,Ade\u{301}lie\n", createRelated: true)
        #expect(plan.counts["Species"] == 2)
    }

    @Test("A related record gets its defaults")
    func relatedDefaults() async throws {
        let species = model(
            "Species", property("name", .string),
            property("status", .choice(["known", "new"]), default: { .text("new") }),
            property("weight", .double, isOptional: true)
        )
        let plan = try await plan("code,species\nN1,Adelie\n", createRelated: true, species: species)
        #expect(plan.inserts.first?.values == ["name": .text("Adelie"), "status": .text("new"), "weight": .null])
    }

    @Test("Several records can have a null in a unique property")
    func uniqueNulls() async throws {
        let specimen = model(
            "Specimen", property("tag", .string, isOptional: true, attributes: [.unique]), property("note", .string))
        #expect(try await plan("tag,note\n,a\n,b\n", specimen: specimen).lineCount == 2)
    }

    @Test("A file with only a header imports nothing")
    func onlyHeader() async throws {
        let plan = try await plan("code\n")
        #expect(plan.changes.isEmpty && plan.lineCount == 0 && plan.counts.isEmpty)
    }

    private final class Counter: Sendable {
        nonisolated(unsafe) var count = 0
    }
}

@Suite("Parsing a mapping")
struct FieldMappingTests {
    @Test("A mapping splits at the first equals sign")
    func parsing() throws {
        #expect(
            try FieldMapping(parsing: "name=Individual ID") == FieldMapping(property: "name", column: "Individual ID"))
        #expect(try FieldMapping(parsing: "name=a=b") == FieldMapping(property: "name", column: "a=b"))
        #expect(try FieldMapping(parsing: "name=") == FieldMapping(property: "name", column: ""))
    }

    @Test("Malformed text is rejected with an example", arguments: ["", "name", "=Column", "="])
    func malformed(text: String) {
        #expect(throws: ImportError.malformedMapping) { try FieldMapping(parsing: text) }
        #expect(
            ImportError.malformedMapping.description
                == "Write a mapping as a property and a column, such as name=\"Individual ID\".")
    }
}

@Suite("Importing the Palmer penguins")
struct PenguinsImportTests {
    @Test("The import plans 344 animals and 3 categories, with 152 Adelie penguins")
    func penguins() async throws {
        let plan = try await plan(of: ["name=Individual ID", "category=Species"])
        #expect(plan.lineCount == 344)
        #expect(plan.counts == ["Animal": 344, "AnimalCategory": 3])
        let adelie = try #require(plan.inserts.first)
        #expect(adelie.model == "AnimalCategory")
        #expect(adelie.values == ["name": .text("Adelie Penguin (Pygoscelis adeliae)")])
        #expect(plan.inserts.count { $0.values["category"] == adelie.id.fieldValue } == 152)
    }

    @Test("A misspelled column is rejected with a list of the columns")
    func wrongColumn() async throws {
        await #expect {
            try await plan(of: ["name=Individual", "category=Species"])
        } throws: { error in
            "\(error)".hasPrefix(
                "The file has no column “Individual”. Available: “studyName”, “Sample Number”, “Species”,")
        }
    }

    private func plan(of mapping: [String]) async throws -> ImportPlan {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/penguins-raw.csv")
        let settings = RecordImport(
            model: Animal.schema, schema: zooSchema, mapping: try mapping.map { try FieldMapping(parsing: $0) },
            nullMarkers: ["NA"], createRelated: true
        )
        return try await settings.plan([UInt8](Data(contentsOf: file)), lookUp: NothingStored())
    }
}
