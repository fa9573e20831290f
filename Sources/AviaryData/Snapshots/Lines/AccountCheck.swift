import AviaryDomain

/// The rules for the name, the role and the numbers of an account in a snapshot. The name and the role are shown for the
/// decision about a restore; the numbers are counted on.
///
/// A role that the program does not have, or no longer has, could have been written by it: the account keeps the role,
/// which allows nothing.
struct AccountCheck {
    private let name: Int?
    private let role: Int?
    private let counters: [(property: String, index: Int)]

    init(_ model: ModelSchema) {
        counters = ["epoch", "lastOneTimeStep"].compactMap { name in
            model.storedIndex(of: name).map { (name, $0) }
        }
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
        for (property, index) in counters where index < values.count {
            guard case .integer(let number) = values[values.startIndex + index] else { continue }
            guard SnapshotManifest.possibleCommits.contains(number) else {
                throw SnapshotError(
                    .invalid(
                        model: Account.modelName, property: property, localized("No account comes to such a number.")))
            }
        }
    }

    private func text(_ index: Int?, in values: ArraySlice<FieldValue>) -> String? {
        guard let index, index < values.count, case .text(let text) = values[values.startIndex + index] else {
            return nil
        }
        return text
    }
}
