import AviaryLocalization

extension HTML {
    /// Appends a number for machines: decimal digits, no grouping.
    package mutating func text(_ number: Int) {
        digits(of: number, grouped: false)
    }

    /// Appends a number for people: `12,408`.
    package mutating func grouped(_ number: Int) {
        guard Language.current == nil else { return text(NumberText.grouped(number)) }
        digits(of: number, grouped: true)
    }

    private mutating func digits(of number: Int, grouped: Bool) {
        if number < 0 { append(0x2D) }
        var rest = number.magnitude
        var divisor: UInt = 1
        var place = 0
        while rest / divisor >= 10 {
            divisor *= 10
            place += 1
        }
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + rest / divisor))
            if grouped, place > 0, place % 3 == 0 { append(0x2C) }
            rest %= divisor
            divisor /= 10
            place -= 1
        }
    }
}
