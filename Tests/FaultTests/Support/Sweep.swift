import TestSupport
import Testing

/// The extent of the tests: a sample of each sweep, or with `AVIARY_EXPLORE=1` the whole of it.
enum Sweep {
    /// The same in every run of `make test`; another one, which failures tell, where the environment has `AVIARY_SEED`.
    static let seed = TestSeed.value

    static func size(_ sample: Int, all: Int) -> Int { Explore.times(sample, exploring: all) }

    /// A generator for one test, which does not depend on what other tests drew.
    static func generator(_ test: String) -> SeededGenerator {
        // Swift's own hash differs from process to process.
        let salt = test.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return SeededGenerator(seed: seed ^ salt)
    }

    /// A sample that has the first and the last; or a larger one, or all the numbers.
    static func numbers(_ range: ClosedRange<Int>, sample: Int, all: Int = .max, _ test: String) -> [Int] {
        let count = size(sample, all: all)
        guard range.count > count else { return Array(range) }
        var generator = generator(test)
        let between = range.shuffled(using: &generator).prefix(max(0, count - 2))
        return Set([range.lowerBound, range.upperBound] + between).sorted()
    }

    /// The faults of a store that has a planted bug, from the first attempt that finds any.
    ///
    /// One attempt finds it nearly always. Where the bug shows is a matter of how callers meet, so there are more.
    static func firstViolations(of attempt: (Int) throws -> [String]) rethrows -> [String] {
        for number in 0..<100 {
            let violations = try attempt(number)
            if !violations.isEmpty { return violations }
        }
        return []
    }
}

/// Records what is wrong, if anything is. `#expect(try …)` would not show it.
func expectSound(
    _ violations: [String], _ context: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !violations.isEmpty else { return }
    let shown = violations.prefix(8).joined(separator: "\n")
    let comment = "\(context), AVIARY_SEED=\(Sweep.seed), \(violations.count) violations:\n\(shown)"
    Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
}
