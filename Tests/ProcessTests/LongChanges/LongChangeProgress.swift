import Foundation
import TestSupport
import Testing

/// The progress of the long change under way, as the store's file has it after each step.
struct LongChangeProgress: Decodable, Hashable {
    let phase: String
    let cursor: Int64
    let done: Int

    var isCommitted: Bool { phase == "completing" }

    /// Reads the progress; nil if no long change is under way.
    init?(_ file: StoreFile) throws {
        let text = try file.rows("SELECT value FROM aviary_meta WHERE key = 'long_change'").first?.first ?? ""
        guard !text.isEmpty else { return nil }
        self = try JSONDecoder().decode(LongChangeProgress.self, from: Data(text.utf8))
    }
}

/// A moment of a long change: after a number of the steps of a phase that the test has seen.
struct LongChangeMoment: CustomStringConvertible {
    private static let phases = ["preparing", "checking", "completing"]

    private let phase: Int
    private let steps: Int

    /// Creates a moment of a random phase.
    init(_ random: inout SeededGenerator) {
        phase = Int.random(in: Self.phases.indices, using: &random)
        // The last phase has by far the most steps.
        steps = Int.random(in: 1...(phase == 2 ? 10 : 2), using: &random)
    }

    var description: String { "step \(steps) of \(Self.phases[phase])" }

    private func isReached(by progress: LongChangeProgress, seen: Set<LongChangeProgress>) -> Bool {
        // While the requested records are noted, the file has the phase in which a store that opens it gives them up.
        guard let current = Self.phases.firstIndex(of: progress.phase) else { return false }
        return current > phase || current == phase && seen.count { $0.phase == progress.phase } >= steps
    }

    /// Waits until the long change has come to this moment.
    ///
    /// - Parameter isOver: A function that indicates whether the long change has ended.
    /// - Returns: False if it has ended before.
    func wait(in file: StoreFile, isOver: () throws -> Bool) async throws -> Bool {
        var seen: Set<LongChangeProgress> = []
        var isUnderWay = true
        try await eventually("the long change came to \(self)") {
            if let progress = try LongChangeProgress(file) {
                seen.insert(progress)
                return isReached(by: progress, seen: seen)
            }
            isUnderWay = try !isOver()
            return !isUnderWay
        }
        return isUnderWay
    }
}
