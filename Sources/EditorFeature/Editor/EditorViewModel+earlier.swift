package import AviaryDomain

extension EditorViewModel {
    /// Puts what the record held once into the form. Nothing is stored before Save.
    ///
    /// - Parameter values: By property name; a field that is not among them stays as it is.
    package mutating func fillIn(_ values: [String: FieldValue]) {
        for property in schema.storedProperties where !property.isSecret && mayShow(property) {
            guard fields[property.name] != nil, let value = values[property.name] else { continue }
            fields[property.name] = property.formText(of: value)
        }
    }
}
