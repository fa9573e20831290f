import Testing

/// Records what is wrong, if anything is. `#expect(try …)` would not show it.
func expectSound(
    _ violations: [String], _ context: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !violations.isEmpty else { return }
    let shown = violations.prefix(8).joined(separator: "\n")
    let comment = "\(context), AVIARY_SEED=\(Sweep.seed), \(violations.count) violations:\n\(shown)"
    Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
}
