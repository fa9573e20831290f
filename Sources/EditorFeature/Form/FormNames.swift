/// What forms carry beside the fields of the model. A dot before a name is in the name of no property, and in no key of an
/// embedded value.
package enum FormNames {
    /// How often the draft had been kept when the page was made.
    package static let sequence = ".sequence"
    /// Which page it is.
    package static let tab = ".tab"
    /// How often the page has sent the form to be kept.
    package static let turn = ".turn"
    /// Where the record is to be chosen once it is saved.
    package static let parent = ".parent"
    /// The version beside which the page shows the editor's own text.
    package static let against = ".against"
    /// The properties of which the page asks which text to keep.
    package static let compared = ".compared"
    /// What a button other than Save asks for.
    package static let step = ".step"
    /// What follows after a Save.
    package static let next = ".next"

    /// Which text of the property to keep.
    static func kept(_ property: String) -> String { ".keep." + property }
    /// What is looked for among the records that the field may point to.
    package static func search(_ field: String) -> String { searchPrefix + field }
    /// The field of a search; nil for the name of anything else.
    static func searched(_ name: String) -> String? {
        name.hasPrefix(searchPrefix) ? String(name.dropFirst(searchPrefix.count)) : nil
    }
    private static let searchPrefix = ".search."
}
