/// A record in a list. Its first cell is its name and leads to `href`.
package struct TableRow: Sendable {
    let id: String
    let href: String
    let title: String
    let cells: [TableCell]

    /// - Parameter title: what the record is called where its row speaks of it: “Select …”, “Delete …”.
    package init(id: String, href: String, title: String, cells: [TableCell]) {
        self.id = id
        self.href = href
        self.title = title
        self.cells = cells
    }
}
