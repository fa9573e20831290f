/// A value as a list shows it.
package enum TableCell: Sendable {
    case text(String)
    case number(String)
    /// A coloured dot and a word; `hue` is a place on the palette, 0 to 7.
    case choice(label: String, hue: Int)
    case flag(Bool)
    /// A time in words, with the exact one on hover and for machines.
    case date(machine: String, shown: String)
    case link(title: String, href: String)
    case empty
}
