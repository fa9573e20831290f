/// How many observations there were, by size.
package struct BucketCounts: Sendable, Hashable, Codable {
    /// Upper bounds, rising; behind the last is one more bucket, without end.
    package let bounds: [Double]
    /// How many fell into each bucket alone: one more than there are bounds.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
        sum = 0
    }

    package mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] &+= 1
        sum += value
    }
}
