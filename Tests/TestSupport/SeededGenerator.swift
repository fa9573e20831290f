import Foundation

/// A SplitMix64 generator, which returns the same numbers for the same seed, so that a failure can be reproduced.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// The random seed of a test run.
///
/// The seed is 1 unless the environment variable `AVIARY_SEED` has another value, so every run of `make test` is
/// the same. `make explore` sets a new seed for each run and prints it.
package enum TestSeed {
    package static let value: UInt64 = ProcessInfo.processInfo.environment["AVIARY_SEED"].flatMap(UInt64.init) ?? 1

    /// Returns a generator for one test.
    ///
    /// - Parameter stream: A number that distinguishes the generators of one test.
    package static func generator(_ stream: UInt64 = 0) -> SeededGenerator {
        SeededGenerator(seed: value &+ stream &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// The switch for tests that may take minutes, use other random numbers in every run, and measure times and memory.
///
/// Every run of `make test` is the same and asserts nothing that a busy machine changes. Tests that need a long or
/// a random run are enabled by the environment variable `AVIARY_EXPLORE=1`, which `make explore` sets.
package enum Explore {
    package static let isOn = ProcessInfo.processInfo.environment["AVIARY_EXPLORE"] == "1"

    /// Returns the number of repetitions: `always` in a normal run, `exploring` in an exploring run.
    package static func times(_ always: Int, exploring: Int) -> Int {
        isOn ? exploring : always
    }
}
