import AviaryDomain
import Foundation

// Foundation has a type of the same name.
typealias ListOrder = AviaryDomain.ListOrder

/// A sorted list in memory, for comparison with pages.
struct ListOracle {
    let property: Int?
    let order: ListOrder

    init(_ order: ListOrder, in schema: ModelSchema) {
        self.order = order
        property = schema.storedIndex(of: order.property)
    }

    func sorted(_ records: [Record]) -> [Record] {
        records.sorted { left, right in
            order.direction == .ascending ? precedes(left, right) : precedes(right, left)
        }
    }

    private func precedes(_ left: Record, _ right: Record) -> Bool {
        if let property {
            let order = compare(left.values[property], right.values[property])
            if order != 0 { return order < 0 }
        }
        return left.id.canonicalText < right.id.canonicalText
    }

    /// Compares nulls first, then numbers, then texts by bytes with ASCII letters in lower case.
    private func compare(_ left: FieldValue, _ right: FieldValue) -> Int {
        switch (left, right) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.text(let left), .text(let right)): compare(folded(left), folded(right))
        default: 0
        }
    }

    private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private func folded(_ text: String) -> [UInt8] {
        text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}
