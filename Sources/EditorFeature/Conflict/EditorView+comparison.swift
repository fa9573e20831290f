import AviaryDesign
import AviaryDomain

extension EditorView {
    /// Says that a field has the text of somebody else.
    func takenOver(_ property: PropertySchema, _ merge: FieldComparison?, isOwn: Bool) -> String? {
        merge.map { merge in
            let before = shown(merge.before ?? "", of: property)
            return isOwn
                ? localized("Changed elsewhere meanwhile, from \(before), and taken over: you had not changed it here.")
                : localized(
                    "Changed by somebody else meanwhile, from \(before), and taken over: you had not changed it.")
        }
    }

    /// Asks which of two texts shall stay.
    func comparison(_ property: PropertySchema, _ both: FieldComparison?, _ name: String, isOwn: Bool) -> Comparison? {
        guard let both else { return nil }
        return Comparison(
            name: name, question: localized("Which \(property.labelInSentence) shall stay?"),
            choices: [
                Comparison.Choice(
                    value: FieldComparison.Side.mine.rawValue, title: localized("Mine, as it stands above"),
                    text: shown(both.mine, of: property),
                    isChosen: both.kept == .mine
                ),
                Comparison.Choice(
                    value: FieldComparison.Side.theirs.rawValue,
                    title: isOwn ? localized("The other, as it is stored") : localized("Theirs, as it is stored"),
                    text: shown(both.theirs, of: property), isChosen: both.kept == .theirs
                ),
            ],
            before: both.before.map { shown($0, of: property) }
        )
    }
}
