extension HTML {
    /// Appends a link's address where an element is written by literals; unsafe addresses become `#`.
    @inline(__always)
    mutating func link(_ address: String) {
        text(Link.isLocal(address) ? address : Link.safe(address, in: "href"))
    }
}
