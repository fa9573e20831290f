import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("The sheet of a record that is older than a rule")
struct OlderRecordFormTests {
    private static let schema = ModelSchema(
        name: "Box",
        properties: [
            property("code", .string, attributes: [.required, .length(3...)]),
            property("low", .integer), property("high", .integer),
        ],
        validation: { record in
            guard case .integer(let low) = record.values[1], case .integer(let high) = record.values[2], high < low
            else { return [] }
            return [FieldProblem(property: "high", message: "Choose a higher number.")]
        })
    private let record = Record(id: .version7(), version: 4, values: [.text("a"), .integer(5), .integer(1)])

    private func saved(_ fields: String) async throws -> (SaveOutcome, [FieldProblem], [RecordSubmission]) {
        let records = RecordsInMemory(schema: Self.schema, records: [record])
        let text =
            "draft=\(UUID.version7().canonicalText)&id=\(record.id.canonicalText)&version=4&\(fields)"
        var editor = try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: Self.schema), of: Self.schema,
            stored: record, repository: records, principal: .ada)
        let outcome = await editor.save(at: .now)
        return (outcome, editor.problems, await records.submissions)
    }

    @Test("A field that breaks a rule and is left as it is does not prevent saving the others")
    func untouched() async throws {
        let renumbered = Record(id: record.id, version: 4, values: [.text("a"), .integer(5), .integer(6)])
        let (_, problems, submissions) = try await saved("code=a&low=5&high=6")
        #expect(problems.isEmpty && submissions.count == 1)
        #expect(submissions.first?.values["high"] == renumbered.values[2])
    }

    @Test("A changed field follows its rule, and a problem of several fields at an untouched one is left")
    func touched() async throws {
        let (outcome, problems, submissions) = try await saved("code=b&low=5&high=1")
        #expect(outcome == .invalid && submissions.isEmpty)
        #expect(problems == [FieldProblem(property: "code", message: "Enter at least 3 characters.")])
        #expect(try await saved("code=abc&low=5&high=1").1.isEmpty)
        #expect(try await saved("code=a&low=5&high=2").1.map(\.property) == ["high"])
    }

    @Test("A row that is older than a rule is changed where it touches no broken one")
    func row() async throws {
        let nameless = Record(
            id: .version7(), version: 3, values: [.text(""), .integer(2001), .text(UUID.version7().canonicalText)])
        let house = House(keepers: [nameless])
        var editor = try await house.submitted(
            try await house.form(rows: [(nameless, ["name": "", "since": "2002"])]))
        _ = await editor.save(at: .now)
        #expect(editor.problems.isEmpty)
        var cleared = try await house.submitted(
            try await house.form(rows: [(nameless, ["name": " ", "since": "2002"])]))
        _ = await cleared.save(at: .now)
        #expect(cleared.problems.count == 1)
    }
}
