import AviaryLocalization
import Testing

@testable import AviaryDomain

private enum Status: String, Choice {
    case open, inProgress, done

    var label: String {
        switch self {
        case .open: "To do"
        case .inProgress: "Under way"
        case .done: "Done"
        }
    }
}

private enum Floor: Int, Choice {
    case ground, first

    var label: String { self == .ground ? "Ground level" : "Level 1" }
}

private enum Doubled: String, Choice {
    case first, second, third

    var label: String { self == .third ? "Third" : "Early" }
}

private enum Nameless: Int, Choice {
    case first, second

    var label: String { self == .first ? "First" : " " }
}

private enum Alike: String, Choice { case upper = "HOME PAGE", lower = "homePage" }

private struct Job: Model {
    var id = RecordID<Job>()
    var status = Status.open
    var floors: [Floor] = []

    static let schema = ModelSchema(
        Job.self,
        [.init(\.status, "status", default: { .open }), .init(\.floors, "floors", default: { [] })])

    init(from reader: inout FieldReader) throws { status = try reader.next("status") }
    func bind(to writer: inout FieldWriter) { writer.bind(status) }
}

@Suite("Labels of choices")
struct ChoiceLabelTests {
    @Test("A label that an enum declares replaces the one from its raw value, also in arrays")
    func declared() throws {
        let status = try #require(Job.schema.property("status")), floors = try #require(Job.schema.property("floors"))
        #expect(status.choiceLabels == ["To do", "Under way", "Done"])
        #expect(status.words(for: .text("inProgress")) == "Under way")
        #expect(floors.words(for: .text("[1,0]")) == "Level 1, Ground level")
    }

    @Test("The stored value is the raw value")
    func stored() {
        #expect(Status.inProgress.fieldValue == .text("inProgress"))
        #expect(Floor.first.fieldValue == .integer(1))
    }

    @Test("A label is translated by its English text")
    func translated() async throws {
        let status = try #require(Job.schema.property("status"))
        let german = Language.german.adding(["Under way": "In Arbeit"])
        let words = await german.use { status.words(for: .text("inProgress")) }
        #expect(words == "In Arbeit")
    }

    @Test(
        "Two cases with the same label, or a case with an empty one, are a mistake at start",
        arguments: [
            (
                Doubled.traits.mistake,
                "has two choices with the label \"Early\". Give each case of Doubled a label of its own."
            ),
            (Nameless.traits.mistake, "has a choice with an empty label. Give each case of Nameless a label."),
            (Set<Doubled>.traits.mistake, Doubled.traits.mistake), (Status?.traits.mistake, nil),
            (Alike.traits.mistake, nil),
        ])
    func mistakes(found: String?, expected: String?) {
        #expect(found == expected)
    }

    @Test("An imported cell may contain the raw value or the label, without regard to case")
    func imported() async throws {
        let specimen = model("Specimen", property("status", Status.propertyType, traits: Status.traits))
        let inserts = try await plan("status\nunder WAY\nINPROGRESS\n", specimen: specimen).inserts
        #expect(inserts.map { $0.values["status"] } == [.text("inProgress"), .text("inProgress")])
    }
}
