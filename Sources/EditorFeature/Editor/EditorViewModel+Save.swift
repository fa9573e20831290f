package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// Validates the typed texts and saves them in the repository. Any outcome except `saved` leaves the text
    /// unchanged.
    ///
    /// - Parameter history: The source of the changes that others made.
    package mutating func save(history: (any HistoryRepository)? = nil, at now: Date) async -> SaveOutcome {
        message = nil
        let outcome = await saved(history, at: now)
        switch outcome {
        case .saved: return outcome
        case .invalid: await addChangeMessages(history, at: now)
        case .conflict, .unavailable, .outOfSpace: await repeatChangeMessages(history, at: now)
        }
        forgetSecrets()
        return outcome
    }

    private mutating func saved(_ history: (any HistoryRepository)?, at now: Date) async -> SaveOutcome {
        let parsed = parsedValues()
        let changes = changesOfRows()
        problems += undecided
        do {
            try await findTypedLinks()
        } catch {
            return await addMessages(.unavailable("the records to link with cannot be read."), history, at: now)
        }
        if !problems.isEmpty { await addFurtherProblems() }
        guard let values = parsed, problems.isEmpty else { return .invalid }
        let submission = RecordSubmission(
            draft: draft, author: principal.name, id: record, version: against ?? version,
            // Fields that keep the text of others are omitted, so that resubmitting the form produces the same
            // change set whatever they contain by then.
            values: values.filter { decisions[$0.key] != .theirs }, links: linkEdits, others: changes
        )
        if let refused = refusedProperty(in: submission) {
            problems = [FieldProblem(property: refused, message: localized("Your role doesn’t allow changing this."))]
            return .invalid
        }
        do {
            let receipt = try await repository.save(submission)
            isSaved = true
            return .saved(receipt)
        } catch {
            let outcome = await addMessages(error, history, at: now)
            if outcome == .invalid, !problems.isEmpty { await addFurtherProblems() }
            return outcome
        }
    }

    /// Adds the problems that the store would report once the present ones are solved, so that one answer names all:
    /// numbers of related records, and values that other records or rows have.
    private mutating func addFurtherProblems() async {
        problems += countProblems + rowCountProblems
        await problems += duplicates()
        await problems += rowDuplicates()
    }

    /// Returns a problem for each unique value that another record has.
    private func duplicates() async -> [FieldProblem] {
        var found: [FieldProblem] = []
        for group in schema.uniqueConstraints where !problems.contains(where: { group.contains($0.property) }) {
            var values: [String: FieldValue] = [:]
            for property in group.compactMap(schema.property) where !property.isSecret {
                guard case .success(let value) = value(of: property), !value.isNull else { continue }
                values[property.name] = value
            }
            guard values.count == group.count else { continue }
            // Without an answer, the store reports the problem at the next attempt.
            let ids = try? await repository.ids(where: values, limit: 2)
            if ids?.contains(where: { $0 != record }) == true { found.append(duplicate(of: group)) }
        }
        return found
    }

    /// Returns the problem of a value, or of several values together, that another record has.
    private func duplicate(of properties: [String]) -> FieldProblem {
        let name = schema.singularName
        let labels = properties.map { schema.property($0)?.labelInSentence ?? $0 }
        let message =
            labels.count == 1
            ? localized("Another \(name) already has this \(labels[0]). Choose a different one.")
            : localized(
                "Another \(name) already has this combination of \(labels.first ?? "") and \(TextFormatter.list(Array(labels.dropFirst()))). Change one of them."
            )
        return FieldProblem(property: properties.first ?? "", message: message)
    }

    /// Returns the first property in the submission that the principal is not allowed to set.
    ///
    /// This checks the complete submission once more before it is sent to the store.
    private func refusedProperty(in submission: RecordSubmission) -> String? {
        if let name = submission.values.keys.sorted().first(where: { !principal.maySet($0, of: schema) }) {
            return name
        }
        if let edit = submission.links.first(where: { !principal.maySet($0.property, of: schema) }) {
            return edit.property
        }
        let children = sheet.rows.map(\.schema)
        return principal.refusedProperty(in: submission.others) { model in children.first { $0.name == model } }?
            .property
    }

    /// Parses the texts into values. Returns nil and sets `problems` if a text is invalid.
    private mutating func parsedValues() -> [String: FieldValue]? {
        var values: [String: FieldValue] = [:]
        var defaults: [String: FieldValue] = [:]
        problems = []
        for property in schema.storedProperties {
            // An omitted property keeps its stored value. For a new record, the store generates the default, once.
            guard sheet.isEditable(property.name), mayShow(property) else {
                defaults[property.name] = property.defaultValue
                continue
            }
            if decisions[property.name] == .theirs, against != nil { continue }
            if property.isSecret, fields[property.name] ?? "" == "" {
                values[property.name] = untypedSecret(property)
                continue
            }
            let validationProblems = EmbeddedFields(property)?.problems(in: fields[property.name] ?? "") ?? []
            guard validationProblems.isEmpty else {
                problems += validationProblems
                continue
            }
            switch value(of: property) {
            case .success(let value): values[property.name] = value
            case .failure(let problem): problems.append(problem)
            }
        }
        if repository.preparesRecords {
            // The repository checks the rules after the hooks of the application.
            problems += schema.validationProblems(in: values)
        } else if let stored, !isNew {
            problems += schema.problems(changing: stored, to: values, isComplete: problems.isEmpty)
        } else {
            problems += schema.problems(in: values, of: record, defaults: defaults)
        }
        return problems.isEmpty ? values : nil
    }

    /// Returns the value to store for a secret that the user did not type, or nil to keep the stored value.
    private func untypedSecret(_ property: PropertySchema) -> FieldValue? {
        if isNew { return property.defaultValue }
        guard clearedSecrets.contains(property.name) else { return nil }
        return property.isOptional ? .null : property.type.emptyValue
    }

    /// Clears typed secrets and adds a problem for each.
    ///
    /// A page never shows a secret, so the user has to type it again. Without the problem, the secret would be lost
    /// silently.
    private mutating func forgetSecrets() {
        for property in schema.storedProperties where property.isSecret && fields[property.name] ?? "" != "" {
            fields[property.name] = ""
            guard !problems.contains(where: { $0.property == property.name }) else { continue }
            problems.append(
                FieldProblem(
                    property: property.name,
                    message: localized("Enter this again. Secret values don’t stay on the page.")))
        }
    }

    private mutating func addMessages(_ error: StoreError, _ history: (any HistoryRepository)?, at now: Date) async
        -> SaveOutcome
    {
        if let outcome = await explainRows(error, history, at: now) { return outcome }
        let name = schema.singularName
        switch error.reason {
        case .invalid(_, let problems):
            self.problems = problems
            return .invalid
        case .notUnique(_, let property):
            problems = [duplicate(of: [property])]
            return .invalid
        case .notUniqueTogether(_, let properties):
            problems = [duplicate(of: properties)]
            return .invalid
        case .missingReference(_, let property) where links[property] != nil:
            problems = [
                FieldProblem(
                    property: property,
                    message: localized("One of these no longer exists. Remove it or choose another."))
            ]
            return .invalid
        case .relatedCount(schema.name, record, let property, let count, let allowed):
            let advice =
                rowLists[property] == nil ? allowed.advice(brokenBy: count) : allowed.rowAdvice(brokenBy: count)
            problems = [FieldProblem(property: property, message: advice)]
            return .invalid
        case .relatedCount(let model, _, let property, let count, let allowed):
            message = EditorMessage(
                .failure,
                localized(
                    "Not saved: \(model).\(property) must have \(allowed.bound(brokenBy: count)) and would have \(count)."
                ))
            return .invalid
        case .missingReference(_, let property):
            let noun = schema.property(property)?.noun ?? property
            problems = [
                FieldProblem(
                    property: property, message: localized("This \(noun) no longer exists. Choose another one.")
                )
            ]
            return .invalid
        case .conflict(_, let current) where version != nil:
            decisions = [:]
            await takeOverLinks()
            await compareRows(history: history, at: now)
            let past = await compare(with: current, history: history, at: now)
            if message == nil {
                // The same content was saved elsewhere, or the differences are in fields that are not shown.
                message = EditorMessage(
                    .warning,
                    beginning(past, at: now) + " " + localized("Save keeps your version, Cancel discards it."))
            }
            return .conflict
        case .notFound where version != nil && !principal.may(.add, schema.name):
            message = EditorMessage(
                .warning,
                localized(
                    "This \(name) was deleted in the meantime, and you can’t add a new one. Your changes are still here: copy them, then select Cancel to discard them."
                ))
            return .conflict
        case .notFound where version != nil:
            resetIdentity()
            message = EditorMessage(
                .warning,
                localized(
                    "This \(name) was deleted in the meantime. Your changes are still here. Save adds them as a new \(name), Cancel discards them."
                ))
            return .conflict
        case .alreadySaved where version != nil:
            draft = .version7()
            message = EditorMessage(
                .warning,
                localized(
                    "This form was already saved with other values. Your changes are still here. Save keeps them too, Cancel discards them."
                ))
            return .conflict
        case .alreadyDiscarded where version != nil:
            draft = .version7()
            message = EditorMessage(
                .warning,
                localized(
                    "This draft was already discarded. Your changes are still here. Save keeps them, Cancel discards them."
                ))
            return .conflict
        case .alreadySaved, .conflict, .notFound:
            resetIdentity()
            message = EditorMessage(
                .warning,
                localized(
                    "This form was already saved with other values. Your changes are still here. Save adds them as another \(name), Cancel discards them."
                ))
            return .conflict
        case .alreadyDiscarded:
            resetIdentity()
            message = EditorMessage(
                .warning,
                localized(
                    "This draft was already discarded. Your changes are still here. Save keeps them, Cancel discards them."
                ))
            return .conflict
        case .unavailable, .busy:
            message = EditorMessage(
                .failure,
                localized(
                    "Not saved: the server can’t save changes right now. Your changes are still here. Try again in a moment."
                ))
            return .unavailable
        case .damaged:
            message = EditorMessage(
                .failure,
                localized(
                    "Not saved: the store’s file is damaged in this place. Your changes are still here. Tell the administrator. Everything else can be saved."
                ))
            return .unavailable
        case .outOfSpace:
            message = EditorMessage(
                .failure,
                localized(
                    "Not saved: the server’s disk is full. Your changes are still here. Ask the administrator to free up space."
                ))
            return .outOfSpace
        case .unanswered:
            message = EditorMessage(
                .failure,
                localized(
                    "Couldn’t confirm the save. Your changes are still here, and it’s safe to save again."
                ))
            return .unavailable
        default:
            message = EditorMessage(
                .failure,
                localized("Not saved: this form no longer fits the saved record. Copy your text and reload the page."))
            return .conflict
        }
    }

    /// Moves the text to a new draft and a new record, because the old identifiers are used up.
    private mutating func resetIdentity() {
        draft = .version7()
        record = .version7()
        version = nil
        stored = nil
        (against, comparisons, merged, compared, decisions) = (nil, [:], [:], [], [:])
        rowChanges = []
        resetIdentitiesOfRows()
        for name in links.keys { links[name]?.resetIdentity() }
    }
}

/// The outcome of a save.
package enum SaveOutcome: Sendable, Hashable {
    /// The record was saved durably. The editor closes.
    case saved(Receipt)
    /// The input is invalid. The editor stays open and shows the problems.
    case invalid
    /// The record was changed or deleted by others, or this form was saved before. The editor stays open and
    /// explains the conflict.
    case conflict
    /// The store does not accept changes now. The same form can be submitted again.
    case unavailable
    /// The store's disk is full.
    case outOfSpace
}

/// The message above the fields of an editor.
package struct EditorMessage: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case information, warning, failure
    }

    package let kind: Kind
    package let text: String
    /// The link that the message offers, if any.
    package let link: Link?

    package struct Link: Sendable, Hashable {
        let title: String
        let path: String
        /// Indicates whether following the link keeps the typed text as a draft. It is false if there is nowhere to
        /// keep it.
        let keepsForm: Bool

        package init(title: String, path: String, keepsForm: Bool = true) {
            self.title = title
            self.path = path
            self.keepsForm = keepsForm
        }
    }

    package init(_ kind: Kind, _ text: String, link: Link? = nil) {
        self.kind = kind
        self.text = text
        self.link = link
    }
}
