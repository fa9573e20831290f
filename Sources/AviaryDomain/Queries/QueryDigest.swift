import Foundation

/// A hash that distinguishes queries and is the same in every process.
///
/// A cursor contains it, so that a cursor of another query is rejected. The hashed text is unambiguous.
struct QueryDigest {
    private var hash = FNV1a()
    var value: UInt64 { hash.value }

    init(_ query: RecordQuery, of model: ModelSchema) {
        add(text: model.name)
        if let condition = query.condition { add(condition) }
        for key in query.order {
            add(key.direction == .ascending ? "↑" : "↓")
            add(key.expression)
        }
    }

    private mutating func add(_ word: String) {
        hash.add(word)
    }

    /// Adds a text, preceded by its length.
    private mutating func add(text: String) {
        add("\(text.utf8.count):")
        add(text)
    }

    private mutating func add(_ value: FieldValue) {
        switch value {
        case .null: add("n")
        case .integer(let number): add("i\(number);")
        case .real(let number): add("r\(number.bitPattern);")
        case .text(let text): add(text: text)
        case .blob(let bytes): add("b\(bytes);")
        }
    }

    private mutating func add(_ kind: String, _ parts: QueryExpression...) {
        add(kind + "(")
        for part in parts { add(part) }
        add(")")
    }

    private mutating func add(_ expression: QueryExpression) {
        switch expression {
        case .id: add("id")
        case .property(let name): add("p"); add(text: name)
        case .constant(let value): add(value)
        case .decimal(let number): add(text: number.description)
        case .coalesced(let value, let other): add("coalesced", value, other)
        case .ifPresent(let value, let result): add("ifPresent", value, result)
        case .conditional(let test, let yes, let no): add("conditional", test, yes, no)
        case .mapped(let value, let table):
            add("mapped", value)
            add(sorted: table)
        case .arithmetic(let operation, let number, let left, let right): add("\(operation) \(number)", left, right)
        case .negative(let number, let value): add("negative \(number)", value)
        case .folded(let value): add("folded", value)
        case .json(let value, let keys, _):
            add("json", value)
            for key in keys { add(text: key) }
            add(";")
        case .elementCount(let list): add("elementCount", list)
        case .equal(let left, let right): add("equal", left, right)
        case .ordered(let ordering, let left, let right): add("\(ordering)", left, right)
        case .contains(let whole, let part): add("contains", whole, part)
        case .starts(let whole, let prefix): add("starts", whole, prefix)
        case .startsIgnoringCase(let name, let prefix):
            add("startsIgnoringCase")
            add(text: name)
            add(text: prefix)
        case .isMember(let value, let list):
            add("isMember", value)
            for value in list { add(value) }
            add(";")
        case .hasElement(let list, let element): add("hasElement", list, element)
        case .related(let path, let condition):
            add(path)
            add("where", condition)
        case .checked(let value, let condition): add("checked", value, condition)
        case .and(let left, let right): add("and", left, right)
        case .or(let left, let right): add("or", left, right)
        case .not(let condition): add("not", condition)
        }
    }

    private mutating func add(sorted table: [FieldValue: FieldValue]) {
        for (key, value) in table.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            add(key)
            add(value)
        }
        add(";")
    }

    private mutating func add(_ path: RelationPath) {
        switch path {
        case .reference(let property, let model):
            add("reference \(property.utf8.count) \(property)\(model.schema.name);")
        case .inverse(let property, let model): add("inverse \(property.utf8.count) \(property)\(model.schema.name);")
        case .links(let link, let model): add("links \(link.name) \(link.isInverse) \(model.schema.name);")
        }
    }
}

/// The 64-bit FNV-1a hash, which is the same in every process. It is not cryptographic.
package struct FNV1a: Sendable, Hashable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }
}
