import AviaryDomain
import Foundation

extension EditorViewModel {
    /// Checks what was typed and hands it to the repository. Anything but `saved` leaves the text as it is.
    package mutating func save() async -> SaveOutcome {
        message = nil
        storedFields = [:]
        let outcome = await saved()
        if case .saved = outcome { return outcome }
        forgetSecrets()
        return outcome
    }

    private mutating func saved() async -> SaveOutcome {
        let parsed = parsedValues()
        do {
            try await findTypedLinks()
        } catch {
            return await explain(.unavailable("the records to link with cannot be read."))
        }
        guard let values = parsed, problems.isEmpty else { return .invalid }
        let submission = RecordSubmission(
            draft: draft, author: principal.name, id: record, version: version, values: values, links: linkEdits
        )
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
            if property.isSecret, fields[property.name] ?? "" == "" {
                values[property.name] = untypedSecret(property)
                continue
            }
            switch value(of: property) {
            case .success(let value): values[property.name] = value
            case .failure(let problem): problems.append(problem)
            }
        }
        problems += schema.problems(in: values, of: record)
        return problems.isEmpty ? values : nil
    }

    /// What becomes of a secret of which nothing was typed; nil when it stays as it is stored.
    private func untypedSecret(_ property: PropertySchema) -> FieldValue? {
        if isNew { return property.defaultValue }
        guard clearedSecrets.contains(property.name) else { return nil }
        return property.isOptional ? .null : property.type.emptyValue
    }

    /// A page that comes back shows no secret, so it has to be typed again. Unsaid, it would be lost.
    private mutating func forgetSecrets() {
        for property in schema.storedProperties where property.isSecret && fields[property.name] ?? "" != "" {
            fields[property.name] = ""
            guard !problems.contains(where: { $0.property == property.name }) else { continue }
            problems.append(FieldProblem(property: property.name, message: "Type this again: what is secret does not stay on the page."))
        }
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
        case .notUniqueTogether(_, let properties):
            let labels = properties.map { schema.property($0)?.label.lowercased() ?? $0 }
            problems = [FieldProblem(property: properties.first ?? "", message: "Another \(name) already has this \(labels.first ?? "") together with this \(Words.list(Array(labels.dropFirst()))). Change one of them.")]
            return .invalid
        case .missingReference(_, let property) where links[property] != nil:
            problems = [FieldProblem(property: property, message: "One of these does not exist any more. Leave it out, or choose another.")]
            return .invalid
        case .relatedCount(schema.name, record, let property, let count, let allowed):
            problems = [FieldProblem(property: property, message: "Choose \(allowed.bound(brokenBy: count)): there would be \(count).")]
            return .invalid
        case .relatedCount:
            message = EditorMessage(.failure, "Not saved. \(error.description)")
            return .invalid
        case .missingReference(_, let property):
            let label = schema.property(property)?.label.lowercased() ?? property
            problems = [FieldProblem(property: property, message: "This \(label) does not exist any more. Choose another one.")]
            return .invalid
        case .conflict(_, let current) where version != nil:
            await takeOver(current)
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
    private mutating func takeOver(_ current: Record) async {
        let stored = schema.formTexts(of: current.values)
        storedFields = stored.filter { name, text in
            schema.property(name)?.isSecret == false && isOther(text, than: fields[name] ?? "", in: name)
        }
        version = current.version
        await takeOverLinks()
        recordTitle = current.title(in: schema)
        message = EditorMessage(.warning, "Someone else changed this \(schema.singularName) while you were editing. What is stored now stands below each field that differs: Save keeps your text, Cancel keeps theirs.")
    }

    /// Whether the texts mean something else: `2.5` is `2.50`, and JSON may be written in many ways.
    private func isOther(_ stored: String, than typed: String, in name: String) -> Bool {
        guard !stored.hasSameLines(as: typed), let property = schema.property(name) else { return false }
        guard case .success(let value) = property.parse(typed) else { return true }
        return property.parse(stored) != .success(value)
    }

    /// The text goes on under a new identity: the old one has been used up.
    private mutating func beginAgain() {
        draft = .version7()
        record = .version7()
        version = nil
        recordTitle = nil
        for name in links.keys { links[name]?.beginAgain() }
    }
}
