import ArgumentParser

/// Where a new value of the unique column falls in its index.
enum Keys: String, CaseIterable, ExpressibleByArgument {
    /// Behind all others, as numbers and times do.
    case ordered
    /// Anywhere.
    case random

    /// 16 hexadecimal digits for row number `number`.
    func code(_ number: Int) -> String {
        let value: UInt64 =
            switch self {
            case .ordered: UInt64(number)
            case .random: .random(in: .min ... .max)
            }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
