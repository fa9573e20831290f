import TestSupport
import Testing

/// The extent of the tests: a sample of each sweep, or the whole sweep with `AVIARY_EXPLORE=1`.
enum Sweep {
    /// The seed, which is constant in `make test` unless the environment sets `AVIARY_SEED`. Failures report the seed.
    static let seed = TestSeed.value

    static func size(_ sample: Int, all: Int) -> Int { Explore.times(sample, exploring: all) }

    /// Returns a generator for one test that does not depend on other tests.
    static func generator(_ test: String) -> SeededGenerator {
        // Swift's own hash differs from process to process.
        let salt = test.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return SeededGenerator(seed: seed ^ salt)
    }

    /// Returns a sample with the first and the last number; in exploration, a larger sample or all numbers.
    static func numbers(_ range: ClosedRange<Int>, sample: Int, all: Int = .max, _ test: String) -> [Int] {
        let count = size(sample, all: all)
        guard range.count > count else { return Array(range) }
        var generator = generator(test)
        let between = range.shuffled(using: &generator).prefix(max(0, count - 2))
        return Set([range.lowerBound, range.upperBound] + between).sorted()
    }

    /// Returns the violations of a store with a planted bug, from the first attempt that finds any.
    ///
    /// One attempt nearly always finds the bug. More attempts are made, because the callers' timing decides.
    static func firstViolations(of attempt: (Int) throws -> [String]) rethrows -> [String] {
        for number in 0..<100 {
            let violations = try attempt(number)
            if !violations.isEmpty { return violations }
        }
        return []
    }
}

/// Records the violations, if there are any. `#expect(try …)` would not show them.
func expectSound(
    _ violations: [String], _ context: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !violations.isEmpty else { return }
    let shown = violations.prefix(8).joined(separator: "\n")
    let comment = "\(context), AVIARY_SEED=\(Sweep.seed), \(violations.count) violations:\n\(shown)"
    Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
}
