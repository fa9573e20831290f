import AviaryDomain

extension FieldValue {
    /// Whether a column has the value before the other: numbers by their size, texts by their bytes. Both are of one column.
    func precedes(_ other: FieldValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}
