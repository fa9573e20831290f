package import AviaryDomain

extension EditorViewModel {
    /// Puts what this or another record holds, or held once, into the form. Nothing is stored before Save.
    ///
    /// - Parameter values: By property name; a field that is not among them stays as it is, and so does one that this form cannot set.
    package mutating func fillIn(_ values: [String: FieldValue]) {
        for property in schema.storedProperties
        where !property.isSecret && sheet.isEditable(property.name) && mayShow(property) {
            guard let value = values[property.name] else { continue }
            fields[property.name] = property.controlText(of: value)
        }
    }
}
