/// The changes that a restore would make.
package struct RestorePlan: Sendable, Hashable, Codable {
    package struct Model: Sendable, Hashable, Codable {
        package let name: String
        /// Records that there are; nil where there is no store yet.
        package let now: Int?
        /// Records that there would be.
        package let then: Int

        package init(name: String, now: Int?, then: Int) {
            self.name = name
            self.now = now
            self.then = then
        }
    }

    package let snapshot: SnapshotSummary
    package let models: [Model]
    /// The steps that bring the snapshot's records to the models of the program; empty when the models are the same.
    package let steps: [String]
    package let accounts: [AccountEffect]

    package init(snapshot: SnapshotSummary, models: [Model], steps: [String], accounts: [AccountEffect]) {
        self.snapshot = snapshot
        self.models = models
        self.steps = steps
        self.accounts = accounts
    }
}
