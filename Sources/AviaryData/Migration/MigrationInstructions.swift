package import AviaryDomain

/// What a program says of the way to its models, and whoever runs it.
package struct MigrationInstructions: Sendable {
    package static let none = MigrationInstructions()

    package let plan: MigrationPlan?
    /// What may be lost: names of models, and of properties as `Animal.legs`.
    package let dropped: Set<String>
    /// Whether the store is copied before what it holds is rewritten.
    package let copiesStore: Bool

    package init(plan: MigrationPlan? = nil, dropping dropped: Set<String> = [], copiesStore: Bool = true) {
        self.plan = plan
        self.dropped = dropped
        self.copiesStore = copiesStore
    }
}
