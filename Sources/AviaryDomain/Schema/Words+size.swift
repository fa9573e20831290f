extension Words {
    /// `512 B`, `1.5 KiB`, `34 MiB`.
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var (amount, unit) = (Double(bytes), "B")
        // What would be rounded to 1,024 is one of the next unit.
        for next in ["KiB", "MiB", "GiB", "TiB"] where amount.rounded() >= 1024 {
            (amount, unit) = (amount / 1024, next)
        }
        let tenths = Int((amount * 10).rounded())
        guard tenths < 100 else { return "\(Int(amount.rounded())) \(unit)" }
        return NumberText.ungrouped("\(tenths / 10).\(tenths % 10)") + " \(unit)"
    }
}
