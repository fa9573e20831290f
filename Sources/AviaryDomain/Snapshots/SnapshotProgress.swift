/// The progress of work on a snapshot.
package struct SnapshotProgress: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        /// Copying one committed state of the store, to be read afterwards.
        case copying
        /// Receiving a snapshot from elsewhere, counted in bytes.
        case receiving
        case writing
        /// Waiting for a pipe that provides nothing.
        case waiting
        case reading
        /// Checking what can only be checked when all records are read.
        case checking
        case proving
        /// Bringing an older program's records to the models of this one.
        case migrating
        case replacing
    }

    package let step: Step
    /// Records.
    package let done: Int
    /// The total; nil when it is unknown.
    package let total: Int?

    package init(_ step: Step, done: Int = 0, of total: Int? = nil) {
        self.step = step
        self.done = done
        self.total = total
    }

    /// `Reading records, 40 %`.
    package var words: String {
        let name =
            switch step {
            case .copying: localized("Copying the store")
            case .receiving: localized("Receiving the file")
            case .writing: localized("Writing records")
            case .waiting: localized("Waiting for the pipe to bring the snapshot")
            case .reading: localized("Reading records")
            case .checking: localized("Checking all records together")
            case .proving: localized("Comparing what was restored")
            case .migrating: localized("Bringing the records to the program's models")
            case .replacing: localized("Putting the snapshot in place of the store")
            }
        return percent.map { "\(name), \($0) %" } ?? name + "…"
    }

    /// The progress in per cent; nil when the total is unknown.
    package var percent: Int? {
        guard let total, total > 0 else { return nil }
        return min(100, done * 100 / total)
    }
}
