import AviaryDomain

extension FilterSetting {
    /// As fields of an address, which ``FilterReader`` reads.
    func fields(of configuration: ModelConfiguration) -> [FormField] {
        guard let schema = configuration.schema.property(property) else { return [] }
        let name = FilterReader.prefix + property
        var fields = values.map { FormField(name: name, value: schema.type.formText(of: $0)) }
        if let lower { fields.append(FormField(name: name + ".from", value: schema.type.formText(of: lower))) }
        if let upper { fields.append(FormField(name: name + ".to", value: schema.type.formText(of: upper))) }
        if let isEmpty { fields.append(FormField(name: name + ".empty", value: isEmpty ? "1" : "0")) }
        return fields
    }
}
