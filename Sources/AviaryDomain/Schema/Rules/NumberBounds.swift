public import Foundation

/// The bounds of a number. Write them as a range: `.range(0...)`.
public struct NumberBounds: Sendable, Hashable {
    /// The smallest value; nil for no lower bound.
    public let least: Decimal?
    /// The largest value; nil for no upper bound.
    public let most: Decimal?
    private let leastReal: Double
    private let mostReal: Double

    package init(least: Decimal?, most: Decimal?) {
        self.least = least
        self.most = most
        // Through the text: the nearest Double, which the arithmetic of Decimal does not always give.
        leastReal = least.flatMap { Double($0.description) } ?? -.infinity
        mostReal = most.flatMap { Double($0.description) } ?? .infinity
    }
}

extension NumberBounds {
    /// Returns the advice for a number that does not fit; nil for one that fits.
    func problem(with number: Decimal) -> String? {
        let fits = least.map { number >= $0 } ?? true && most.map { number <= $0 } ?? true
        return fits ? nil : advice
    }

    func problem(with number: Double) -> String? {
        number >= leastReal && number <= mostReal ? nil : advice
    }

    /// The mistake in the bounds themselves; nil when there is none.
    var mistake: String? {
        [least, most].contains { $0?.isNaN == true } ? "has a bound that no Decimal can hold" : nil
    }

    private var advice: String {
        switch (least, most) {
        case (let least?, let most?): localized("Write a number from \(Self.text(least)) to \(Self.text(most)).")
        case (let least?, nil): localized("Write a number of at least \(Self.text(least)).")
        case (nil, let most?): localized("Write a number of at most \(Self.text(most)).")
        case (nil, nil): ""
        }
    }

    private static func text(_ number: Decimal) -> String { NumberText.ungrouped("\(number)") }
}
