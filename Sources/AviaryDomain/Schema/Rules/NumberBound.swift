public import Foundation

/// A number that can bound another: `0` and `0.5` in `.range(0...)` and `.range(0.5...2)`.
public protocol NumberBound: Comparable, Sendable {
    /// The number as it is written; not a number where a `Decimal` cannot hold it.
    var decimal: Decimal { get }
}

extension Int: NumberBound {
    public var decimal: Decimal { Decimal(self) }
}

extension Double: NumberBound {
    // Through its shortest text: 0.1 means a tenth, not the nearest binary fraction.
    public var decimal: Decimal { Decimal(string: description) ?? .nan }
}

extension Decimal: NumberBound {
    public var decimal: Decimal { self }
}
