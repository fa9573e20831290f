import AviaryDomain

extension FieldValue {
    /// Returns a Boolean value that indicates whether a column sorts the value before the other. Both are of one
    /// column.
    ///
    /// Numbers are compared by their size, texts by their bytes.
    func precedes(_ other: FieldValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}
