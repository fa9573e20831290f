extension StoreError: RedactedError {
    /// Names of the schema and numbers, nothing that somebody typed.
    package var redacted: String {
        switch self {
        case .invalid(let model, let problems): "invalid \(model): \(problems.map(\.property).joined(separator: ", "))"
        case .notUnique(let model, let property): "\(model).\(property) is not unique"
        case .notUniqueTogether(let model, let properties):
            "\(properties.joined(separator: ", ")) of \(model) are not unique together"
        case .missingReference(let model, let property): "\(model).\(property) refers to nothing"
        case .relatedCount(let model, _, let property, let count, let allowed):
            "\(model).\(property) takes \(allowed), not \(count)"
        case .notFound(let model, _): "no such \(model)"
        case .conflict(let model, _): "conflicting edits of a \(model)"
        case .deleteDenied(let model, let other, let count): "\(count) \(other) refer to the \(model)"
        case .needsConfirmation(let plan): "a delete that takes \(plan.cascadeCount) records along is not confirmed"
        case .alreadySaved(let commit): "saved already, as commit \(commit)"
        case .alreadyDiscarded: "discarded already"
        case .undoRefused(let commit, let obstacles): "commit \(commit) cannot be undone: \(obstacles.count) obstacles"
        case .malformed: "the change set does not fit the schema"
        case .busy: "the store is busy"
        case .outOfSpace: "the disk is full"
        case .damaged: "the store's file is damaged there"
        case .unavailable(let reason): "the store takes no writes: \(reason)"
        case .unanswered: "the store did not answer in time"
        }
    }
}

extension ReadError: RedactedError {
    package var redacted: String { description }
}

extension DataDirectoryError: RedactedError {
    package var redacted: String { description }
}
