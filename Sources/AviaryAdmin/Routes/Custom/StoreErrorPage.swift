import AviaryDomain
import HTTPTypes

extension PageError {
    /// Creates the page of an error of the store that a route does not handle.
    ///
    /// - Parameter schema: The models, whose labels the text uses.
    init(_ error: StoreError, in schema: Schema) {
        let (status, retryAfter) = error.answer
        self.init(status: status, title: localized("This change wasn’t made"), text: error.words(in: schema))
        self.retryAfter = retryAfter
        if error == .unanswered { self = .unconfirmed }
    }

    /// The answer when it is unknown whether the store has made a change.
    private static var unconfirmed: PageError {
        PageError(
            status: .serviceUnavailable, title: localized("Couldn’t confirm the change"),
            text: localized("Check whether it was made before you try again."), retryAfter: 2)
    }
}

extension StoreError {
    /// The status that the admin uses for the error, and the number of seconds after which to try again.
    var answer: (status: HTTPResponse.Status, retryAfter: Int?) {
        let (code, retryAfter): (Int, Int?) =
            switch reason {
            case .invalid, .malformed, .missingReference, .relatedCount: (422, nil)
            case .notFound: (404, nil)
            case .notUnique, .notUniqueTogether, .conflict, .deleteDenied, .needsConfirmation, .alreadySaved,
                .alreadyDiscarded, .undoRefused, .stopped:
                (409, nil)
            case .busy(let seconds): (503, seconds)
            case .overtaken: (503, 1)
            case .unavailable, .unanswered: (503, 2)
            case .outOfSpace: (507, nil)
            case .damaged: (500, nil)
            }
        return (HTTPResponse.Status(code: code), retryAfter)
    }

    /// Returns the error in the words of the admin, with the labels of the fields.
    func words(in schema: Schema) -> String {
        func name(_ model: String) -> String { schema.model(model)?.singularName ?? ModelNames.words(of: model) }
        func label(_ property: String, _ model: String) -> String {
            schema.model(model)?.property(property)?.label ?? property
        }
        return switch reason {
        case .invalid(let model, let problems):
            problems.map { problem in
                problem.property.isEmpty
                    ? problem.message : "\(label(problem.property, model)): \(problem.message)"
            }.joined(separator: " ")
        case .notUnique(let model, let property):
            localized(
                "Another \(name(model)) already has this \(TextFormatter.lowercased(label(property, model))). Choose a different one."
            )
        case .notUniqueTogether(let model, let properties):
            localized(
                "Another \(name(model)) already has the same \(TextFormatter.list(properties.map { TextFormatter.lowercased(label($0, model)) })). Change one of them."
            )
        case .missingReference(let model, let property):
            localized(
                "This \(schema.model(model)?.property(property)?.noun ?? property) no longer exists. Choose another one."
            )
        case .relatedCount(let model, _, let property, let count, let allowed):
            localized(
                "“\(label(property, model))” must have \(allowed.bound(brokenBy: count)) and would have \(count).")
        case .notFound(let model, _): localized("This \(name(model)) doesn’t exist any more.")
        case .conflict: localized("Someone else changed this in the meantime.")
        case .deleteDenied: localized("Other records still refer to it. Delete or change them first.")
        case .busy, .overtaken, .unavailable: localized("Try again in a moment.")
        case .outOfSpace: localized("The server’s disk is full. Ask the administrator to free up space.")
        case .damaged:
            localized(
                "The store’s file is damaged in this place. Tell the administrator. Everything else can be saved.")
        case .needsConfirmation, .alreadySaved, .alreadyDiscarded, .undoRefused, .malformed, .unanswered, .stopped:
            description
        }
    }
}
