/// A page with an editor's sheet open.
struct EditorPage: Sendable {
    /// What Save sends.
    let save: Form
    /// What Cancel sends.
    let discard: Form
    /// Where the form goes to be kept as a draft.
    let keepAction: String
    /// The record that the form is about.
    let record: String

    init?(_ body: [UInt8]) {
        let forms = FormReader.forms(in: body)
        guard let discard = forms.last(where: { $0.action.hasSuffix("/discard") }),
            let save = forms.first(where: { $0["draft"] == discard["draft"] && $0["version"] != nil }),
            let record = save["id"], save["draft"] != nil, save.textField != nil,
            let keepAction = save.otherActions.first(where: { $0.hasSuffix("/draft") })
        else { return nil }
        self.save = save
        self.discard = discard
        self.keepAction = keepAction
        self.record = record
    }
}
