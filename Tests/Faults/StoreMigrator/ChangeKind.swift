import ArgumentParser

/// What the newer program has otherwise. The names are those of the tests' `MigrationKind`.
enum ChangeKind: String, ExpressibleByArgument, CaseIterable {
    case added, renamed, widened, widenedInPlace, optional, indexed, unique, uniqueTogether, relation, links, dropped
    case all
}
