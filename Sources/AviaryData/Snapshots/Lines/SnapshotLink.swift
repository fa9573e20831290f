import AviaryDomain
import Foundation

/// A link as a snapshot carries it: `{"link":{"model":"Book","property":"authors","id":…,"target":…}}`.
struct SnapshotLink: Sendable {
    let table: LinkTable
    let link: Link

    /// - Throws: ``SnapshotError``, ``JSONError``.
    init(_ reader: inout JSONReader, tables: ModelTables) throws {
        var texts: [String: String] = [:]
        try reader.object { name, reader in
            switch name {
            case "model", "property", "id", "target": texts[name] = try reader.text()
            default: throw SnapshotError(.malformedRecord(localized("its link has a part that is not known.")))
            }
        }
        guard let model = texts["model"], let property = texts["property"],
            let id = texts["id"], UUID(canonicalText: id) != nil,
            let target = texts["target"], UUID(canonicalText: target) != nil
        else {
            throw SnapshotError(
                .malformedRecord(
                    localized("its link has no model, no property, or no two ids that are canonical UUIDs.")))
        }
        guard let side = tables.linkSide(property, of: model), !side.end.isInverse else {
            throw SnapshotError(.malformedRecord(localized("it is a link of a relation that is not in the schema.")))
        }
        table = side.table
        link = side.link(id, target)
    }
}

extension LinkTable {
    /// The links, each once, in any order.
    var snapshotSelection: String {
        "SELECT source, target FROM \(name)" + (relation.isSymmetric ? " WHERE source <= target" : "")
    }

    var snapshotCount: String {
        "SELECT count(*) FROM \(name)" + (relation.isSymmetric ? " WHERE source <= target" : "")
    }
}
