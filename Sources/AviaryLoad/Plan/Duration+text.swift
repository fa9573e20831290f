extension Duration {
    /// Reads `60s`, `500ms`, `2m` or `1h`.
    package init(parsing text: String) throws(LoadPlanError) {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
        guard let value = Double(number), value < 1e6, let unit = units[text[number.endIndex...]] else {
            throw LoadPlanError("\"\(text)\" is not a duration. Write a number and its unit: 500ms, 60s, 2m or 1h.")
        }
        self = .seconds(value * unit)
    }

    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { self / .milliseconds(1) }
    var microseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}
