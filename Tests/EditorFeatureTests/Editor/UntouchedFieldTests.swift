import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Untouched fields")
struct UntouchedFieldTests {
    @Test(
        "An empty optional value stays empty, and nil stays nil",
        arguments: [
            (PropertyType.string, FieldValue.text("")), (.array(of: .string), .text("[]")), (.data, .blob([])),
        ])
    func emptyOptional(type: PropertyType, empty: FieldValue) async throws {
        #expect(try await saved(type, empty) == empty)
        #expect(try await saved(type, .null) == .null)
        #expect(try await saved(type, empty, sending: " ") != empty)
    }

    @Test("An emptied optional field is nil")
    func emptied() async throws {
        #expect(try await saved(.string, .text("a"), sending: "") == .null)
        #expect(try await saved(.array(of: .string), .text(#"["a"]"#), sending: "") == .null)
    }

    @Test(
        "An untouched value keeps its stored notation",
        arguments: [
            (PropertyType.string, FieldValue.text("a\r\nb\rc\nd")), (.string, .text("\n a\u{301} ")),
            (.double, .real(-0.0)),
            (.json, .text(#"{"b":1.50,"a":  []}"#)), (.array(of: .double), .text("[1.0, 2e3]")),
            (.array(of: .string), .text(#"[ "a" ]"#)),
            (.date, .text("0000-02-29T00:00:00.000Z")),
        ])
    func written(type: PropertyType, value: FieldValue) async throws {
        let saved = try await saved(type, value)
        #expect(saved == value)
        if case .real(let number)? = saved { #expect(number.sign == .minus) }
    }

    @Test("A text that differs only in its bytes is a change")
    func bytes() async throws {
        #expect(try await saved(.string, .text("a\u{301}"), sending: "\u{E1}") == .text("\u{E1}"))
    }

    @Test("A new record keeps untouched defaults, including empty ones")
    func defaults() async throws {
        let tags = property("tags", .array(of: .string), isOptional: true, default: { .text("[]") })
        let note = property("note", .string, isOptional: true, default: { .text("") })
        let repository = RecordsInMemory(schema: ModelSchema(name: "Thing", properties: [tags, note]))
        var editor = try EditorViewModel(adding: repository.schema, repository: repository, principal: .ada)
        _ = await editor.save(at: .now)
        #expect(await repository.submissions.first?.values == ["tags": .text("[]"), "note": .text("")])
    }

    @Test(
        "An untouched form submits exactly the stored values for every type", arguments: [UInt64(1), 2, 3])
    func everyType(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        for round in 0..<200 {
            var properties: [PropertySchema] = [], values: [FieldValue] = []
            for (index, type) in SplitMix.types.enumerated() {
                for isOptional in [false, true] {
                    properties.append(property("p\(index)\(isOptional)", type, isOptional: isOptional))
                    values.append(isOptional && random.below(4) == 0 ? .null : random.value(of: type))
                }
            }
            let repository = RecordsInMemory(schema: ModelSchema(name: "Thing", properties: properties))
            let record = Record(id: .version7(), version: 3, values: values)
            let saved = try await save(record, of: repository, sending: [:])
            for (property, value) in zip(properties, values) {
                #expect(saved[property.name] == value, "seed \(seed), round \(round): \(property.type.name) \(value)")
            }
        }
    }

    /// Returns the value that Save submits for a record's only property.
    private func saved(_ type: PropertyType, _ value: FieldValue, sending text: String? = nil) async throws
        -> FieldValue?
    {
        let repository = RecordsInMemory(
            schema: ModelSchema(name: "Thing", properties: [property("it", type, isOptional: true)]))
        let record = Record(id: .version7(), version: 3, values: [value])
        return try await save(record, of: repository, sending: text.map { ["it": $0] } ?? [:])["it"]
    }

    /// Opens the record's form and submits it as a browser does.
    private func save(_ record: Record, of repository: RecordsInMemory, sending typed: [String: String]) async throws
        -> [String: FieldValue]
    {
        let schema = repository.schema
        let opened = try EditorViewModel(editing: record, of: schema, repository: repository, principal: .ada)
        var form = [
            ("draft", UUID.version7().canonicalText), ("id", record.id.canonicalText), ("version", "\(record.version)"),
        ]
        for (name, text) in opened.fields {
            form.append((name, typed[name] ?? text.withLineFeeds.replacing("\n", with: "\r\n")))
        }
        var editor = try EditorViewModel(
            submitted: try FormSubmission(form.map { FormField(name: $0.0, value: $0.1) }, of: schema), of: schema,
            stored: record,
            repository: repository, principal: .ada
        )
        guard case .saved = await editor.save(at: .now) else {
            Issue.record("\(editor.problems)")
            return [:]
        }
        return await repository.submissions.last?.values ?? [:]
    }
}

/// Random values that are the same on every run.
private struct SplitMix {
    static let types: [PropertyType] = [
        .string, .boolean, .integer, .sizedInteger(.int8), .sizedInteger(.uint64), .double, .float, .decimal(scale: 2),
        .decimal(scale: 0),
        .date, .calendarDate, .uuid, .data, .url, .choice(["a", "b c"]), .integerChoice([-1, 7]), .json,
        .toOne(model: "Thing"),
        .array(of: .string), .array(of: .double), .array(of: .integer), .array(of: .json),
    ]
    private static let pieces = [
        "", " ", "a", "\n", "\r\n", "\r", "\"", "\\", "[", "é", "e\u{301}", "🦉", "\u{FEFF}", "\u{85}", "\t", "\u{1}",
        "<", "&amp;",
    ]

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    mutating func text() -> String { (0..<below(4)).map { _ in pick(Self.pieces) }.joined() }

    mutating func value(of type: PropertyType) -> FieldValue {
        switch type {
        case .string: return .text(text())
        case .boolean: return .integer(Int64(below(2)))
        case .integer, .decimal: return .integer(pick([0, 1, -1, 250, .max, .min, Int64(bitPattern: next())]))
        case .sizedInteger(let width): return .integer(pick([width.range.lowerBound, width.range.upperBound, 5]))
        case .double:
            let number = Double(bitPattern: next())
            return .real(pick([0, -0.0, 0.1, 1e15, 5e-324, .greatestFiniteMagnitude, number.isFinite ? number : 2.5]))
        case .float: return .real(Double(pick([Float(0), 0.1, 3e38, .leastNonzeroMagnitude, 16_777_217])))
        case .date:
            return .text(
                pick([
                    "0000-01-01T00:00:00.000Z", "2026-11-20T18:39:55.123Z", "9999-12-31T23:59:59.999Z",
                    "1969-12-31T00:00:00.000Z",
                ]))
        case .calendarDate: return .text(pick(["0000-02-29", "2026-11-20", "9999-12-31"]))
        case .uuid, .toOne: return .text(UUID.version7().canonicalText)
        case .data: return .blob((0..<below(5)).map { UInt8($0 * 50) })
        case .url:
            return .text(pick(["http://x/%25", "mailto:a@b", "https://example.com/%C3%A9?a=%20b#c", "HTTP://X"]))
        case .choice(let choices): return .text(pick(choices))
        case .integerChoice(let choices): return .integer(Int64(pick(choices)))
        case .json:
            return .text(pick([#"{"b":1.50,"a":  []}"#, "null", "[]", #""a\nb""#, "12345678901234567890.0010", "{}"]))
        case .array(of: .string):
            let elements = (0..<below(4)).map { _ in (try? JSONText.encode(text())) ?? "" }
            return .text("[" + elements.joined(separator: pick([",", " , "])) + "]")
        case .array: return .text(pick(["[]", "[ ]", "[1,2]", "[1, 2]", "[7]"]))
        case .toMany: return .null
        }
    }
}
