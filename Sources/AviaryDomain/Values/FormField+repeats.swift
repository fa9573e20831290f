extension [FormField] {
    /// The first name in a query that occurs more than once where only one of its values could count.
    ///
    /// Ids are meant together, and so are the values of one filter.
    package var repeatedName: String? {
        var names: Set<[UInt8]> = []
        return first { !$0.isOneOfSeveral && !names.insert([UInt8]($0.name.utf8)).inserted }?.name
    }
}

extension FormField {
    fileprivate var isOneOfSeveral: Bool {
        guard name.hasPrefix("filter.") else { return name == "id" }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 2, let last = parts.last else { return true }
        return !last.elementsEqual("from".utf8) && !last.elementsEqual("to".utf8)
    }
}
