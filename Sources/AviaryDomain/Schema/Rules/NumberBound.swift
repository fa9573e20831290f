public import Foundation

/// A number that can be a bound of a range of numbers, such as `0` in `.range(0...)` and `0.5` in `.range(0.5...2)`.
public protocol NumberBound: Comparable, Sendable {
    /// The number as a `Decimal`, as it is written in the source; `nan` where a `Decimal` cannot hold it.
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
