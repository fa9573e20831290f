import Foundation

/// SplitMix64: the same numbers for the same seed, so that a failure can be repeated.
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

/// The seed of this run of the tests.
///
/// It is 1 unless the environment's `AVIARY_SEED` holds another number, so `make test` does the same in every run;
/// `make explore` gives a new seed to each run and prints it.
package enum TestSeed {
    package static let value: UInt64 = ProcessInfo.processInfo.environment["AVIARY_SEED"].flatMap(UInt64.init) ?? 1

    /// Returns a generator for one test.
    ///
    /// - Parameter stream: A number that tells generators of one test apart.
    package static func generator(_ stream: UInt64 = 0) -> SeededGenerator {
        SeededGenerator(seed: value &+ stream &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// Whether the tests may take minutes, draw other random numbers in every run, and measure times and memory.
///
/// `make test` is the same in every run and asserts nothing that a busy machine changes. What only a long or random run
/// can show is done as well when the environment has `AVIARY_EXPLORE=1`, as `make explore` sets it.
package enum Explore {
    package static let isOn = ProcessInfo.processInfo.environment["AVIARY_EXPLORE"] == "1"

    /// Returns how often something is done: a few times in every run, many times when there is time to explore.
    package static func times(_ always: Int, exploring: Int) -> Int {
        isOn ? exploring : always
    }
}
