import AviaryDomain
import Foundation

extension EditorViewModel {
    /// Checks what was typed and hands it to the repository. Anything but `saved` leaves the text as it is.
    package mutating func save() async -> SaveOutcome {
        message = nil
        storedFields = [:]
        guard let values = parsedValues() else { return .invalid }
        let submission = RecordSubmission(draft: draft, author: author, id: record, version: version, values: values)
        do {
            let receipt = try await repository.save(submission)
            isSaved = true
            return .saved(receipt)
        } catch {
            return await explain(error)
        }
    }

    /// The values that the texts spell; nil, with `problems` set, when one does not.
    private mutating func parsedValues() -> [String: FieldValue]? {
        var values: [String: FieldValue] = [:]
        problems = []
        for property in schema.storedProperties {
            switch property.parse(fields[property.name] ?? "") {
            case .success(let value): values[property.name] = value
            case .failure(let problem): problems.append(problem)
            }
        }
        problems += schema.problems(in: values)
        return problems.isEmpty ? values : nil
    }

    private mutating func explain(_ error: StoreError) async -> SaveOutcome {
        let name = schema.singularName
        switch error {
        case .invalid(_, let problems):
            self.problems = problems
            return .invalid
        case .notUnique(_, let property):
            let label = schema.property(property)?.label.lowercased() ?? property
            problems = [FieldProblem(property: property, message: "Another \(name) already has this \(label). Choose a different one.")]
            return .invalid
        case .missingReference(_, let property):
            let label = schema.property(property)?.label.lowercased() ?? property
            problems = [FieldProblem(property: property, message: "This \(label) does not exist any more. Choose another one.")]
            return .invalid
        case .conflict(_, let current) where version != nil:
            takeOver(current)
            return .conflict
        case .notFound where version != nil:
            beginAgain()
            message = EditorMessage(.warning, "This \(name) was deleted in the meantime. Your text is still here: Save stores it as a new \(name), Cancel drops it.")
            return .conflict
        case .alreadySaved where version != nil:
            draft = .version7()
            message = EditorMessage(.warning, "This form was saved already, with other content. Your text is still here: Save stores it too, Cancel drops it.")
            return .conflict
        case .alreadyDiscarded where version != nil:
            draft = .version7()
            message = EditorMessage(.warning, "This draft was discarded before. Your text is still here: Save stores it, Cancel drops it.")
            return .conflict
        case .alreadySaved, .conflict, .notFound:
            beginAgain()
            message = EditorMessage(.warning, "This form was saved already, with other content. Your text is still here: Save stores it as another \(name), Cancel drops it.")
            return .conflict
        case .alreadyDiscarded:
            beginAgain()
            message = EditorMessage(.warning, "This draft was discarded before. Your text is still here: Save stores it, Cancel drops it.")
            return .conflict
        case .unavailable, .busy:
            message = EditorMessage(.failure, "Not saved yet: the store takes no changes at the moment. Your text is still here; press Save again shortly.")
            return .unavailable
        case .outOfSpace:
            message = EditorMessage(.failure, "Not saved yet: the server's disk is full. Your text is still here; press Save again when there is room.")
            return .outOfSpace
        case .unanswered:
            message = EditorMessage(.failure, "The store did not answer, so it is not known whether this was saved. Your text is still here; press Save again to make sure: it is stored once.")
            return .unavailable
        default:
            message = EditorMessage(.failure, "Not saved: this form does not fit what is stored. Copy your text and reload the page.")
            return .conflict
        }
    }

    /// Someone else changed the record: both versions are shown, and the next Save decides for this one.
    private mutating func takeOver(_ current: Record) {
        let stored = schema.formTexts(of: current.values)
        storedFields = stored.filter { fields[$0.key] != $0.value }
        version = current.version
        recordTitle = current.title(in: schema)
        message = EditorMessage(.warning, "Someone else changed this \(schema.singularName) while you were editing. What is stored now stands below each field that differs: Save keeps your text, Cancel keeps theirs.")
    }

    /// The text goes on under a new identity: the old one has been used up.
    private mutating func beginAgain() {
        draft = .version7()
        record = .version7()
        version = nil
        recordTitle = nil
    }
}
