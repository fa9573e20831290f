package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// The lifetime of a draft in seconds: seven days. Receipts are kept a day longer, so that a stale copy of a
    /// draft is always recognized.
    package static let draftLifetime: TimeInterval = 7 * 24 * 3600

    /// Returns the current form as a draft, to be sealed into the editor's own browser.
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

    /// Indicates whether the form contains no changes, so that there is nothing to keep.
    ///
    /// The form of a new record is untouched if it still has its defaults. The form of a stored record is untouched
    /// if its texts mean the stored values, even if those values violate a rule.
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

    /// The fields that the draft contains.
    ///
    /// The draft contains no value of a secret, only the request to clear it, because the draft stays in a browser
    /// for a week.
    private var draftFields: [FormField] {
        schema.storedProperties.filter { !$0.isSecret && sheet.isEditable($0.name) }.map {
            FormField(name: $0.name, value: fields[$0.name] ?? "")
        }
            + clearedSecrets.sorted().map { FormField(name: FormSubmission.clearingField($0), value: "true") }
            + linkDraftFields + rowDraftFields
            + (turn.map { [FormField(name: FormNames.turn, value: String($0))] } ?? [])
    }

    /// Discards the draft permanently. The ledger recognizes a copy of it that is submitted later.
    package static func cancel(draft: UUID, ledger: any DraftLedger) async throws(StoreError) {
        try await ledger.discard(draft: draft)
    }

    /// Shows that the page continues a draft that the address did not name, with a link that starts another record.
    package mutating func offerFreshStart() {
        message = EditorMessage(
            .information, localized("This is your unsaved draft."),
            link: EditorMessage.Link(title: localized("Start over"), path: paths.fresh())
        )
    }

    /// Shows a warning if the store was restored from a snapshot after the draft was started.
    package mutating func review(restoreEpoch: String, of draft: Draft) {
        guard draft.restoreEpoch != restoreEpoch else { return }
        message = EditorMessage(
            .warning,
            localized("A backup was restored after this draft was started. Check the draft before you save."))
    }

    /// Adds to the message the reason why the form is not kept as a draft and exists only on this page.
    package mutating func addDraftNotSavedMessage(_ reason: String) {
        message = EditorMessage(
            message?.kind ?? .warning, (message.map { $0.text + " " } ?? "") + reason, link: message?.link)
    }

    package mutating func addMessage(_ message: EditorMessage) {
        self.message = message
    }
}

extension Draft {
    /// The identity of this copy of the draft: the page that kept it and the number of times that page had sent it.
    /// Nil for a draft that no script kept.
    package var copy: String? {
        guard let tab, let turn = fields.value(FormNames.turn) else { return nil }
        return tab + "." + turn
    }
}
