import AviaryDomain
package import Foundation

/// The names of the fields of a sheet's rows.
package struct RowNames: Sendable {
    let property: String

    package init(_ property: String) {
        self.property = property
    }

    /// Hidden, one of each row: its id, and its version where it has one.
    package var list: String { property + ".rows" }
    package func field(_ name: String, of row: UUID) -> String { entry(row) + "." + name }
    package func removal(of row: UUID) -> String { entry(row) + "..remove" }
    func origin(of row: UUID) -> String { entry(row) + "..origin" }
    /// The version beside which the row stands, and the properties of which its page asks which text to keep.
    func against(of row: UUID) -> String { entry(row) + "..against" }
    func compared(of row: UUID) -> String { entry(row) + "..compared" }
    /// Which text of the property to keep.
    package func kept(_ name: String, of row: UUID) -> String { entry(row) + "..keep." + name }
    /// Of a row as a whole.
    package func entry(_ row: UUID) -> String { property + "." + row.canonicalText }
}

/// A row as a form or a draft names it.
struct RowKey: Sendable, Hashable {
    let id: UUID
    let version: Int64?

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard let id = parts.first.flatMap({ UUID(canonicalText: String($0)) }), parts.count <= 2 else { return nil }
        self.id = id
        guard parts.count == 2 else {
            version = nil
            return
        }
        guard let version = Int64(parts[1]), version > 0 else { return nil }
        self.version = version
    }

    static func text(_ row: ChildRow) -> String {
        row.id.canonicalText + (row.version.map { " \($0)" } ?? "")
    }
}
