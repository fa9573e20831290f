import Foundation
import TestSupport

/// How far the tests go: a sample of each sweep, or with `AVIARY_FAULTS=all` the whole of it.
enum Sweep {
    static let isComplete = ProcessInfo.processInfo.environment["AVIARY_FAULTS"] == "all"

    /// The machine's own choice unless `AVIARY_SEED` repeats an earlier run. Printed once, for then.
    static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["AVIARY_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 1...999_999)
        print("Fault tests: AVIARY_SEED=\(seed)\(isComplete ? " AVIARY_FAULTS=all" : "")")
        return seed
    }()

    static func size(_ sample: Int, all: Int) -> Int { isComplete ? all : sample }

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
}
