import Aviary
import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Model struct Nest {
    @Attribute(.required) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Egg.nest) var eggs: Related<Egg>
    @Relationship(inverse: \Watcher.nests) var watchers: Related<Watcher>
    var isbn: String?
    var height = 2
    var built: CalendarDate = .today
    @Attribute(.secret) var code: String?

    var steps: Int { height * 5 }
}

@Model struct Egg {
    var nest: Reference<Nest>
    @Attribute(.required) var mark: String
    var colour = "white"
}

@Model struct Watcher {
    @Attribute(.required) var name: String
    @Relationship var nests: Related<Nest>
}

/// An application with one configuration of its nests.
private protocol NestApp: AviaryApp {
    static var nests: ModelAdmin<Nest> { get }
}

extension NestApp {
    @AdminBuilder var admin: some Admin {
        Self.nests
        ModelAdmin(Egg.self)
        ModelAdmin(Watcher.self)
    }
}

private struct Full: NestApp {
    static var nests: ModelAdmin<Nest> {
        ModelAdmin(Nest.self)
            .label(\.isbn, "ISBN").help(\.name, "As on its sign.").readOnly(\.built).computed(\.steps, "Steps")
            .widget(\.name, .longText).inline(\.eggs, \.mark)
            .section("Place", \.height, \.steps).section("Eggs", \.eggs)
    }
}

private struct LabelOfNothing: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).label(\.steps, "Steps") }
}
private struct EmptyLabel: NestApp { static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).label(\.name, " ") } }
private struct SameLabel: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).label(\.name, "Height") }
}
private struct TwoSections: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).section("A", \.name).section("B", \.name) }
}
private struct InlineUnnamed: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).inline(\.eggs, \.mark).section("Place", \.height) }
}
private struct EmptySection: NestApp { static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).section("A") } }
private struct ComputedStored: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).computed(\.height, "H") }
}
private struct UndeclaredComputed: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).section("A", \.steps) }
}
private struct OddWidget: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).widget(\.height, .segments) }
}
private struct SecretReadOnly: NestApp { static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).readOnly(\.code) } }
private struct RequiredReadOnly: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).readOnly(\.name) }
}
private struct InlineLinks: NestApp { static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).inline(\.watchers) } }
private struct InlineTwice: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).inline(\.eggs).inline(\.eggs) }
}
private struct InlineWithoutMark: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).inline(\.eggs, \.colour) }
}
private struct InlineBack: NestApp {
    static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self).inline(\.eggs, \.mark, \.nest) }
}

@Suite("Sheet configuration")
struct SheetConfigurationTests {
    @Test("Fields without a section come before the sections, in the model's order")
    func layout() throws {
        let configuration = try #require(try AppDefinition(Full.self).configurations.first)
        let layout = configuration.sheet.layout(of: configuration.schema)
        #expect(layout.map(\.title) == [nil, "Place", "Eggs"])
        #expect(
            layout.map(\.fields) == [
                ["name", "watchers", "isbn", "built", "code"], ["height", "computed.0"], ["eggs"],
            ])
        #expect(configuration.sheet.help == ["name": "As on its sign."])
        #expect(configuration.sheet.readOnly == ["built"])
        #expect(configuration.sheet.widgets == ["name": .longText])
        #expect(configuration.sheet.computed.first?.column.title == "Steps")
        #expect(configuration.sheet.rows.map(\.fields) == [["mark"]])
        #expect(configuration.sheet.rows.first?.reference == "nest")
    }

    @Test("Rows that no section names stand below the sections")
    func unnamedRows() throws {
        let configuration = try #require(try AppDefinition(InlineUnnamed.self).configurations.first)
        let layout = configuration.sheet.layout(of: configuration.schema)
        #expect(layout.map(\.title) == [nil, "Place", nil])
        #expect(layout.first?.fields.contains("eggs") == false && layout.last?.fields == ["eggs"])
    }

    @Test("Without a declaration, the sheet has all fields in the model's order")
    func standard() throws {
        let definition = try AppDefinition(GuidedTours.self)
        let configuration = try #require(definition.configurations.first)
        #expect(
            configuration.sheet.layout(of: configuration.schema).map(\.fields) == [["name", "pin", "tours", "hours"]])
    }

    @Test("A declared label applies to the schema, headings and messages, and keeps its capitals in sentences")
    func label() throws {
        let definition = try AppDefinition(Full.self)
        let schema = try #require(definition.schema.model("Nest"))
        #expect(schema.property("isbn")?.label == "ISBN")
        #expect(schema.property("isbn")?.labelInSentence == "ISBN")
        #expect(schema.storedProperties.first { $0.name == "isbn" }?.label == "ISBN")
        #expect(try #require(definition.configurations.first).title(ofColumn: "isbn") == "ISBN")
        #expect(schema.property("height")?.labelInSentence == "height")
    }

    @Test("The schema lists the fields that the sheet declares read-only")
    func readOnly() throws {
        let definition = try AppDefinition(Full.self)
        let configuration = try #require(definition.configurations.first)
        #expect(configuration.schema.readOnly == ["built"])
        #expect(try #require(definition.schema.model("Nest")).readOnly == ["built"])
        #expect(try #require(definition.schema.model("Egg")).readOnly.isEmpty)
    }

    @Test("Sheet configuration does not change the schema's fingerprint")
    func fingerprint() throws {
        struct Plain: NestApp { static var nests: ModelAdmin<Nest> { ModelAdmin(Nest.self) } }
        #expect(try AppDefinition(Full.self).schema.fingerprint == AppDefinition(Plain.self).schema.fingerprint)
    }

    @Test("Each mistake names its property and how to correct it")
    func mistakes() throws {
        #expect(
            mistake(LabelOfNothing.self)
                == "Nest has a .label for what is no property of it. Name its own properties; a computed one is declared with .computed(\\.age, \"Age\")."
        )
        #expect(mistake(EmptyLabel.self) == "Nest.name has an empty label. Give it words, or remove .label.")
        #expect(mistake(SameLabel.self) == "Nest.name has the same label as height. Give each a label of its own.")
        #expect(mistake(TwoSections.self) == "Nest.name is in two sections, or twice in one. Keep one.")
        #expect(
            mistake(EmptySection.self)
                == "Nest has a section without a title or without fields. Give it both, or remove it.")
        #expect(
            mistake(ComputedStored.self)
                == "Nest has the computed field “H”, which is stored. Remove .computed: the sheet has it already.")
        #expect(
            mistake(UndeclaredComputed.self)?.hasPrefix("Nest has a .section for what is no property of it.") == true)
        #expect(
            mistake(OddWidget.self)
                == "Nest.height has the widget .segments, which is for choices and Bool?. Remove it.")
        #expect(
            mistake(SecretReadOnly.self)
                == "Nest.code is .secret and read-only: it would be neither seen nor set. Remove .readOnly.")
        #expect(mistake(RequiredReadOnly.self)?.contains("no record could be added") == true)
        #expect(
            mistake(InlineLinks.self)
                == "Nest.watchers is shown inline, but its other side is no reference. Remove .inline: a many-to-many relation has a picker."
        )
        #expect(mistake(InlineTwice.self) == "Nest.eggs is inline twice. Keep one.")
        #expect(
            mistake(InlineWithoutMark.self)
                == "Egg.mark must have a value and is in no row of Nest.eggs: no row could be added. Add it to .inline."
        )
        #expect(mistake(InlineBack.self)?.hasPrefix("Egg.nest cannot be in a row of Nest") == true)
    }

    private func mistake<App: AviaryApp>(_ app: App.Type) -> String? {
        do {
            _ = try AppDefinition(app)
            return nil
        } catch {
            return (error as? SchemaError)?.description
        }
    }
}
