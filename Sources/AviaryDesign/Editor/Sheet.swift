import AviaryLocalization

/// A form in a dialog: Cancel, the title and Save on top, the fields below.
package struct Sheet: Sendable, Component {
    let title: String
    let subtitle: String?
    let action: String
    let csrf: String
    let hidden: [(name: String, value: String)]
    let draftAction: String
    let discardAction: String
    let address: String
    let copy: String?
    let notices: [Notice]
    let errors: [FieldError]
    let sections: [SheetSection]
    let draftNote: String
    let saveTitle: String
    let cancelTitle: String
    /// Saves, too, and leads somewhere else than to the list.
    let saveAnd: SheetButton?
    /// The field that the keyboard begins in, where it is not the first.
    let focus: String?
    /// Ways on from here, for an existing record.
    let links: SheetLinks

    /// - Parameters:
    ///   - subtitle: the record's name when it exists already.
    ///   - draftAction: where unsaved work is kept; `discardAction`: where Cancel drops it.
    ///   - address: where the sheet is opened again; the page may be the answer to a form.
    ///   - copy: which copy of a draft it shows.
    ///   - draftNote: one quiet line that says what is kept and what is not stored yet.
    package init(
        title: String, subtitle: String?, action: String, csrf: String, hidden: [(name: String, value: String)],
        draftAction: String, discardAction: String, address: String, copy: String? = nil, notices: [Notice] = [],
        errors: [FieldError] = [], sections: [SheetSection], draftNote: String, saveTitle: String = localized("Save"),
        cancelTitle: String = localized("Cancel"),
        saveAnd: SheetButton? = nil, focus: String? = nil, links: SheetLinks = SheetLinks()
    ) {
        self.title = title
        self.subtitle = subtitle
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.draftAction = draftAction
        self.discardAction = discardAction
        self.address = address
        self.copy = copy
        self.notices = notices
        self.errors = errors
        self.sections = sections
        self.draftNote = draftNote
        self.saveTitle = saveTitle
        self.cancelTitle = cancelTitle
        self.saveAnd = saveAnd
        self.focus = focus
        self.links = links
    }

    /// A sheet whose fields stand in no sections.
    package init(
        title: String, subtitle: String?, action: String, csrf: String, hidden: [(name: String, value: String)],
        draftAction: String, discardAction: String, address: String, notices: [Notice] = [], errors: [FieldError] = [],
        fields: [Field], draftNote: String, saveTitle: String = localized("Save"),
        cancelTitle: String = localized("Cancel")
    ) {
        self.init(
            title: title, subtitle: subtitle, action: action, csrf: csrf, hidden: hidden, draftAction: draftAction,
            discardAction: discardAction, address: address, notices: notices, errors: errors,
            sections: [SheetSection(title: nil, parts: fields.map(SheetPart.field))], draftNote: draftNote,
            saveTitle: saveTitle,
            cancelTitle: cancelTitle
        )
    }

    var hiddenFields: HiddenFields {
        HiddenFields(csrf: csrf, fields: hidden.map { ($0.name, $0.value) })
    }

    /// The first field that is wrong, else the first of all.
    var focusedField: String? {
        let fields = sections.flatMap(\.parts).flatMap(\.fields)
        return
            (fields.first { $0.takesFocus && $0.error != nil } ?? fields.first { $0.name == focus && $0.takesFocus }
            ?? fields.first(where: \.takesFocus))?.name
    }
}
