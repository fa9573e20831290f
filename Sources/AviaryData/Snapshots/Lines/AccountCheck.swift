import AviaryDomain

/// The rules for the name and the role of an account in a snapshot. Both are shown for the decision about a restore.
///
/// A role that the program does not have, or no longer has, could have been written by it: the account keeps the role,
/// which allows nothing.
struct AccountCheck {
    private let name: Int?
    private let role: Int?

    init(_ model: ModelSchema) {
        name = model.storedIndex(of: "name")
        role = model.storedIndex(of: "role")
    }

    /// - Throws: ``SnapshotError``.
    func check(_ values: ArraySlice<FieldValue>) throws(SnapshotError) {
        if let text = text(name, in: values), AccountName(text)?.text != text {
            throw SnapshotError(
                .invalid(model: Account.modelName, property: "name", localized("No account has such a name.")))
        }
        if let text = text(role, in: values), !Roles.isName(text) {
            throw SnapshotError(
                .invalid(model: Account.modelName, property: "role", localized("No role has such a name.")))
        }
    }

    private func text(_ index: Int?, in values: ArraySlice<FieldValue>) -> String? {
        guard let index, index < values.count, case .text(let text) = values[values.startIndex + index] else {
            return nil
        }
        return text
    }
}
