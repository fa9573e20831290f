package import AviaryDomain

extension ListQuery {
    /// All of the list, in its order.
    package func exported(for configuration: ModelConfiguration) -> ExportQuery {
        ExportQuery(conditions: conditions(for: configuration), order: sort)
    }
}
