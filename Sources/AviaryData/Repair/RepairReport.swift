package import Foundation

/// What a repair did, or would do.
package struct RepairReport: Sendable, Hashable {
    /// Records that were read, by their models.
    package fileprivate(set) var records: [String: Int] = [:]
    /// Records that could not be read and were made again from the history of changes.
    package fileprivate(set) var recovered: [String: [UUID]] = [:]
    /// Records that are gone, as far as an index still names them.
    package fileprivate(set) var lost: [String: [UUID]] = [:]
    /// Records that are gone and that nothing names, by their models: about so many.
    package fileprivate(set) var unnamed: [String: Int] = [:]
    /// What else could not be kept, in sentences.
    package fileprivate(set) var notes: [String] = []
    /// Where the store's file lies as it was; nil when nothing was changed.
    package fileprivate(set) var copy: String?

    /// Whether everything that was stored is there.
    package var isComplete: Bool { lost.isEmpty && unnamed.isEmpty && notes.isEmpty }
}

extension RepairReport {
    mutating func read(_ count: Int, of model: String) { records[model] = count }

    mutating func lose(_ ids: [UUID], of model: String) {
        if !ids.isEmpty { lost[model] = ids }
    }

    mutating func lose(unnamed count: Int, of model: String) {
        if count > 0 { unnamed[model] = count }
    }

    mutating func recover(_ ids: [UUID], of model: String) {
        if !ids.isEmpty { recovered[model] = ids }
    }

    mutating func note(_ sentence: String) { notes.append(sentence) }

    mutating func kept(at path: String) { copy = path }
}
