import AviaryDomain
import Foundation
import Testing

@Suite("Errors of the store")
struct StoreErrorTests {
    private static let id = UUID.version7()
    private static let record = Record(
        id: id, version: 3, values: [.null, .integer(-1), .real(0.5), .text("a\"b"), .blob([0, 255])])

    /// An error of each code, and a second one for details that can be empty.
    static let samples: [StoreError] = [
        .invalid(model: "Animal", [FieldProblem(property: "name", message: "Shorten it."), FieldProblem("Choose.")]),
        .invalid(model: "Animal", []),
        .notUnique(model: "Animal", property: "name"),
        .notUniqueTogether(model: "Loan", properties: ["member", "began"]),
        .missingReference(model: "Animal", property: "category"),
        .relatedCount(
            model: "Book", id: id, property: "authors", count: 0, allowed: ModelCount(minimum: 1, maximum: 3)),
        .notFound(model: "Animal", id: id),
        .conflict(model: "Animal", current: record),
        .deleteDenied(model: "AnimalCategory", referencedBy: "Animal", count: 2),
        .needsConfirmation(
            DeletePlan(
                requested: 1, cascades: ["Book": 2], nullifies: ["Loan": 1], unlinks: ["Author": 3],
                obstacles: [.referrers(model: "Animal", count: 2, first: [id])])),
        .alreadySaved(commit: 1 << 40),
        .alreadyDiscarded,
        .undoRefused(commit: 4, [.notInHistory, .missingReference(model: "Animal", id: id, property: "category")]),
        .undoRefused(commit: 4, []),
        .malformed("there is no Unicorn."),
        .busy(retryAfter: 2),
        .outOfSpace,
        .damaged,
        .unavailable("it cannot be reached."),
        .unanswered,
        .stopped,
    ]

    private let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    @Test("The JSON of an error is compatible with older processes in both directions", arguments: samples)
    func encoding(error: StoreError) throws {
        let former = FormerStoreError(error.reason)
        let json = try encoder.encode(error)
        let formerJSON = try encoder.encode(former)
        #expect(String(decoding: json, as: UTF8.self) == String(decoding: formerJSON, as: UTF8.self))
        #expect(try JSONDecoder().decode(StoreError.self, from: formerJSON) == error)
        #expect(try JSONDecoder().decode(FormerStoreError.self, from: json) == former)
        #expect(try encoder.encode(StoreError(error.reason)) == json)
    }

    @Test("The name of the error code is the only key of the JSON", arguments: samples)
    func codeName(error: StoreError) throws {
        let object = try JSONSerialization.jsonObject(with: try encoder.encode(error))
        let keys = try #require(object as? [String: Any]).keys
        #expect(Array(keys) == [error.code.description])
    }

    @Test("The JSON of three errors has the exact expected text")
    func letters() throws {
        func json(_ error: StoreError) throws -> String { String(decoding: try encoder.encode(error), as: UTF8.self) }
        #expect(try json(.busy(retryAfter: 2)) == #"{"busy":{"retryAfter":2}}"#)
        #expect(try json(.unanswered) == #"{"unanswered":{}}"#)
        #expect(try json(.unavailable("x")) == #"{"unavailable":{"_0":"x"}}"#)
    }

    @Test("Each code has a sample, and an unknown code cannot be decoded")
    func codes() {
        #expect(Set(Self.samples.map(\.code)).count == 19)
        let json = Data(#"{"tired":{}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(StoreError.self, from: json) }
    }

    @Test("An error has the details of its code")
    func details() {
        let conflict = StoreError.conflict(model: "Animal", current: Self.record)
        #expect(conflict.code == .conflict && conflict.model == "Animal")
        #expect(conflict.currentRecord == Self.record && conflict.recordID == Self.id)
        let problems = [FieldProblem(property: "name", message: "Shorten it."), FieldProblem("Choose.")]
        let invalid = StoreError.invalid(model: "Animal", problems)
        #expect(invalid.problems == problems && invalid.properties == ["name"])
        let denied = StoreError.deleteDenied(model: "AnimalCategory", referencedBy: "Animal", count: 2)
        #expect(denied.referencingModel == "Animal" && denied.count == 2 && denied.model == "AnimalCategory")
        #expect(StoreError.busy(retryAfter: 2).retryAfter == .seconds(2))
        #expect(StoreError.undoRefused(commit: 4, [.notInHistory]).obstacles == [.notInHistory])
        #expect(StoreError.undoRefused(commit: 4, []).commit == 4 && StoreError.alreadySaved(commit: 5).commit == 5)
        #expect(StoreError.unanswered.model == nil && StoreError.unanswered.properties.isEmpty)
    }
}

/// `StoreError` as it was before it became a struct. Processes of that version send and read it.
private enum FormerStoreError: Codable, Equatable {
    case invalid(model: String, [FieldProblem])
    case notUnique(model: String, property: String)
    case notUniqueTogether(model: String, properties: [String])
    case missingReference(model: String, property: String)
    case relatedCount(model: String, id: UUID, property: String, count: Int, allowed: ModelCount)
    case notFound(model: String, id: UUID)
    case conflict(model: String, current: Record)
    case deleteDenied(model: String, referencedBy: String, count: Int)
    case needsConfirmation(DeletePlan)
    case alreadySaved(commit: Int64)
    case alreadyDiscarded
    case undoRefused(commit: Int64, [UndoObstacle])
    case malformed(String)
    case busy(retryAfter: Int)
    case outOfSpace
    case damaged
    case unavailable(String)
    case unanswered
    // Only a store that can stop a change sends it.
    case stopped
    // Only a client that names a basis receives it.
    case overtaken

    init(_ reason: StoreError.Reason) {
        self =
            switch reason {
            case .invalid(let model, let problems): .invalid(model: model, problems)
            case .notUnique(let model, let property): .notUnique(model: model, property: property)
            case .notUniqueTogether(let model, let properties): .notUniqueTogether(model: model, properties: properties)
            case .missingReference(let model, let property): .missingReference(model: model, property: property)
            case .relatedCount(let model, let id, let property, let count, let allowed):
                .relatedCount(model: model, id: id, property: property, count: count, allowed: allowed)
            case .notFound(let model, let id): .notFound(model: model, id: id)
            case .conflict(let model, let current): .conflict(model: model, current: current)
            case .deleteDenied(let model, let other, let count):
                .deleteDenied(model: model, referencedBy: other, count: count)
            case .needsConfirmation(let plan): .needsConfirmation(plan)
            case .alreadySaved(let commit): .alreadySaved(commit: commit)
            case .alreadyDiscarded: .alreadyDiscarded
            case .undoRefused(let commit, let obstacles): .undoRefused(commit: commit, obstacles)
            case .malformed(let reason): .malformed(reason)
            case .busy(let seconds): .busy(retryAfter: seconds)
            case .outOfSpace: .outOfSpace
            case .damaged: .damaged
            case .unavailable(let reason): .unavailable(reason)
            case .unanswered: .unanswered
            case .stopped: .stopped
            case .overtaken: .overtaken
            }
    }
}
