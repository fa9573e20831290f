package import AviaryDomain

/// The instructions for a migration, from the program and from the user who runs it.
package struct MigrationInstructions: Sendable {
    package static let none = MigrationInstructions()

    package let plan: MigrationPlan?
    /// The names of models, and of properties such as `Animal.legs`, that may be lost.
    package let dropped: Set<String>
    /// A Boolean value that indicates whether the store is copied before its contents are rewritten.
    package let copiesStore: Bool

    package init(plan: MigrationPlan? = nil, dropping dropped: Set<String> = [], copiesStore: Bool = true) {
        self.plan = plan
        self.dropped = dropped
        self.copiesStore = copiesStore
    }
}
