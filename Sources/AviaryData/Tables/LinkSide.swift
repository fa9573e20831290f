import AviaryDomain
import Foundation

/// A link table as the records of one of its two sides have it.
struct LinkSide: Sendable {
    let table: LinkTable
    let end: LinkEnd
    /// The bounds of the side's property; nil when it has none.
    let count: RelatedCount?

    init(_ table: LinkTable, isInverse: Bool) {
        self.table = table
        end = LinkEnd(table.relation, isInverse: isInverse)
        count = RelatedCount(end, in: table)
    }

    /// The column with the ids of this side.
    var own: String { end.ownColumn }
    /// The column with the ids of the other side.
    var other: String { end.opposite.ownColumn }

    func link(_ id: String, _ other: String) -> Link {
        table.canonical(end.isInverse ? Link(source: other, target: id) : Link(source: id, target: other))
    }
}

extension LinkEnd {
    fileprivate var ownColumn: String { isInverse ? "target" : "source" }
}

extension RelatedCount {
    fileprivate convenience init?(_ end: LinkEnd, in table: LinkTable) {
        self.init(
            model: end.own.model, property: end.own.property, allowed: end.own.count, table: table.name,
            column: end.ownColumn
        )
    }
}
