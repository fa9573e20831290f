import AviaryDomain
import Foundation

/// A link that began or ended, as the history tells it.
struct LinkChange {
    let side: LinkSide
    let record: UUID
    let other: UUID
    let isThereAfter: Bool

    /// Creates a change of a link from an entry.
    ///
    /// Nil for an entry of no link, for the entry of the other record, which describes the same link, and for one of a
    /// property that the model no longer has.
    init?(_ change: RecordChange, tables: ModelTables) {
        guard change.kind.isOfLink, let (property, field) = change.fields.first,
            let side = tables.linkSide(property, of: change.model), !side.end.isInverse,
            case .text(let text) = change.kind == .link ? field.after : field.before,
            let other = UUID(canonicalText: text),
            side.link(change.record.canonicalText, text).source == change.record.canonicalText
        else { return nil }
        self.side = side
        record = change.record
        self.other = other
        isThereAfter = change.kind == .link
    }

    var link: Link { side.link(record.canonicalText, other.canonicalText) }

    var inverse: Step {
        isThereAfter ? .unlink(side, id: record, target: other) : .link(side, id: record, target: other)
    }
}
