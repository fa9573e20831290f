import Foundation
import Testing

@testable import AviaryDomain

@Suite("The problems of a file in words")
struct ProblemSummaryTests {
    private func summary(_ problems: (line: Int, message: String, value: String?)..., more: Int = 0) -> ProblemSummary {
        ProblemSummary(
            ProblemGroups(problems.map { LineError(line: $0.line, message: $0.message, value: $0.value) }), more: more)
    }

    @Test("Equal problems are one sentence with their lines, their number and their values")
    func grouped() {
        let summary = summary(
            (2, "legs: Enter a whole number.", "x"), (5, "name: Required.", nil),
            (7, "legs: Enter a whole number.", "four"), (9, "legs: Enter a whole number.", "x"),
            (11, "legs: Enter a whole number.", ""))
        #expect(
            summary.lines() == [
                "4 lines from 2 to 11: legs: Enter a whole number. The lines have “x” (2), no value and “four”.",
                "Line 5: name: Required.",
            ])
    }

    @Test("A single problem quotes the value of its line, without controls")
    func single() {
        #expect(
            summary((3, "diet: Choose one of: a, b.", "wood\u{1B}")).lines()
                == ["Line 3: diet: Choose one of: a, b. The line has “wood\\u{1B}”."])
    }

    @Test("The problems of the groups that are left out are counted")
    func limited() {
        let summary = summary((1, "a", nil), (2, "a", nil), (3, "b", nil), (4, "c", nil), more: 5)
        #expect(summary.lines(atMost: 1) == ["Lines 1–2: a", "and 7 more problems"])
        #expect(summary.lines(atMost: 3).last == "and 5 more problems")
    }

    @Test("A job keeps the groups with their values, and a job of an earlier version is grouped without them")
    func job() throws {
        let error = ImportError.lines(
            [LineError(line: 2, message: "m", value: "x"), LineError(line: 3, message: "m", value: "x")], more: 0)
        var job = ImportJob(of: "file", form: [], at: Date(timeIntervalSince1970: 0))
        job.fail(error, importing: ModelSchema(Sample.self, []))
        let json = try JSONEncoder().encode(job)
        let kept = try JSONDecoder().decode(ImportJob.self, from: json)
        #expect(kept.problemSummary.lines() == ["Lines 2–3: m The lines have “x” (2)."])
        var object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        object["groupedProblems"] = nil
        let older = try JSONDecoder().decode(
            ImportJob.self, from: try JSONSerialization.data(withJSONObject: object))
        #expect(older.problemSummary.lines() == ["Lines 2–3: m"])
        job.resume()
        #expect(job.problemSummary.isEmpty)
    }
}

/// A model without properties.
private struct Sample: Model {
    var id = RecordID<Sample>()
    static let schema = ModelSchema(Sample.self, [])
    init(from reader: inout FieldReader) throws { id = try reader.next("id") }
    func bind(to writer: inout FieldWriter) { writer.bind(id) }
}
