package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// How long a draft is kept. Receipts are kept a day longer, so that a stale copy is always recognised.
    package static let draftLifetime: TimeInterval = 7 * 24 * 3600

    /// The form as it stands, to be sealed into the editor's own browser.
    package func makeDraft(
        sequence: Int, restoreEpoch: String, schemaFingerprint: String, at now: Date
    ) -> Draft {
        Draft(
            id: draft, record: record, model: schema.name, version: version, sequence: sequence,
            user: principal.draftOwner,
            restoreEpoch: restoreEpoch, schemaFingerprint: schemaFingerprint, savedAt: now,
            expiresAt: now.addingTimeInterval(Self.draftLifetime), tab: tab, parent: parent,
            fields: draftFields
        )
    }

    /// Whether it says nothing that is not there already, so that there is nothing to keep: of a new record the form as it was
    /// opened, of one that is stored a form that means what is stored, also where that breaks a rule.
    package var isUntouched: Bool {
        guard clearedSecrets.isEmpty, linkDraftFields.isEmpty, rowDraftFields.isEmpty else { return false }
        let texts = schema.formTexts(of: schema.defaultValues)
        if isNew { return fields.allSatisfy { name, text in texts[name]?.hasSameLines(as: text) == true } }
        guard let stored, schema.storedProperties.allSatisfy({ !$0.isSecret || fields[$0.name] ?? "" == "" }) else {
            return false
        }
        let values = Dictionary(
            zip(schema.storedProperties.map(\.name), stored.values), uniquingKeysWith: { first, _ in first })
        return FieldMerge(
            of: schema.storedProperties.filter { !$0.isSecret }, theirs: values, mine: fields, before: nil
        ).isEmpty
    }

    /// Nothing of a secret but that it is to go: the draft lies in a browser for a week.
    private var draftFields: [FormField] {
        schema.storedProperties.filter { !$0.isSecret && sheet.isEditable($0.name) }.map {
            FormField(name: $0.name, value: fields[$0.name] ?? "")
        }
            + clearedSecrets.sorted().map { FormField(name: FormSubmission.clearingField($0), value: "true") }
            + linkDraftFields + rowDraftFields
            + (turn.map { [FormField(name: FormNames.turn, value: String($0))] } ?? [])
    }

    /// Drops the draft for good: a copy of it that comes back later is recognised.
    package static func cancel(draft: UUID, ledger: any DraftLedger) async throws(StoreError) {
        try await ledger.discard(draft: draft)
    }

    /// Says that a draft goes on that the address did not ask for, and how to begin another record instead.
    package mutating func offerFreshStart() {
        message = EditorMessage(
            .information, localized("This continues the draft that you left."),
            link: EditorMessage.Link(title: localized("Begin another"), path: paths.fresh())
        )
    }

    /// Says so where a continued draft needs a look before it is saved.
    package mutating func review(restoreEpoch: String, of draft: Draft) {
        guard draft.restoreEpoch != restoreEpoch else { return }
        message = EditorMessage(
            .warning,
            localized("The store was restored from a snapshot after this draft was begun. Check it before you save."))
    }

    /// Beside what is said already: why the form on this page is nowhere but there.
    package mutating func sayNotKept(_ reason: String) {
        message = EditorMessage(
            message?.kind ?? .warning, (message.map { $0.text + " " } ?? "") + reason, link: message?.link)
    }

    package mutating func say(_ message: EditorMessage) {
        self.message = message
    }
}

extension Draft {
    /// Which copy of the draft it is: the page that kept it, and how often that page had; nil for one that no script kept.
    package var copy: String? {
        guard let tab, let turn = fields.value(FormNames.turn) else { return nil }
        return tab + "." + turn
    }
}
