// The one table of who may see and set which property: every way in and out of the records asks it. It is put together of
// what the admin declares for everybody (`.readOnly`), of what a role says, and of the models that it does not show.
extension Principal {
    /// Whether the property and what stands in it may be told: in a sheet, a list or a file, by a filter, a search, an order or
    /// the history. What leads to a model that may not be viewed may not be seen either.
    package func maySee(_ property: String, of model: ModelSchema) -> Bool {
        guard !role.hides(property, of: model.name) else { return false }
        return model.property(property)?.type.model.map { may(.view, $0) } ?? true
    }

    /// Whether a change that the principal asks for may name the property: by a form, a row of another sheet, a file, a copy or
    /// an undo. A new record begins with its default.
    package func maySet(_ property: String, of model: ModelSchema) -> Bool {
        !model.readOnly.contains(property) && !role.locks(property, of: model.name) && maySee(property, of: model)
    }

    /// The properties that may not be seen, by their names.
    package func hiddenProperties(of model: ModelSchema) -> Set<String> {
        Set(model.properties.map(\.name).filter { !maySee($0, of: model) })
    }

    /// The properties that may not be set, by their names.
    package func fixedProperties(of model: ModelSchema) -> Set<String> {
        Set(model.properties.map(\.name).filter { !maySet($0, of: model) })
    }

    /// The changes, whose new records do not name what the principal may not set: an import names each property's default, and
    /// the store makes the same of one that is not named.
    ///
    /// - Parameter schema: Finds a model by its name.
    package func leavingDefaults(to changes: [Change], _ schema: (String) -> ModelSchema?) -> [Change] {
        changes.map { change in
            guard case .insert(let name, let id, let values) = change, let model = schema(name) else { return change }
            return .insert(model: name, id: id, values: values.filter { maySet($0.key, of: model) })
        }
    }

    /// The first property that the changes name and the principal may not set. Asked where a change set is made of what
    /// somebody sent, after all that kept such a property out of it.
    ///
    /// - Parameter schema: Finds a model by its name; what it does not find may not be set.
    package func refusedProperty(
        in changes: [Change], _ schema: (String) -> ModelSchema?
    ) -> (model: String, property: String)? {
        for change in changes {
            let names: [String] =
                switch change {
                case .insert(_, _, let values), .update(_, _, _, let values): values.keys.sorted()
                case .link(_, let property, _, _), .unlink(_, let property, _, _): [property]
                case .delete: []
                }
            let model = schema(change.model)
            if let name = names.first(where: { name in model.map { !maySet(name, of: $0) } ?? true }) {
                return (change.model, name)
            }
        }
        return nil
    }
}
