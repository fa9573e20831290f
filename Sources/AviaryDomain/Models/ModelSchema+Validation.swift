package import Foundation

extension ModelSchema {
    /// Returns the problems that prevent storing these values; empty when there are none. The store checks uniqueness
    /// and references.
    ///
    /// - Parameter values: The values by property name. Missing properties are not checked, as in an update.
    package func problems(in values: [String: FieldValue]) -> [FieldProblem] {
        storedProperties.compactMap { property in
            guard let value = values[property.name] else { return nil }
            return property.problem(with: value, of: self).map { FieldProblem(property: property.name, message: $0) }
        }
    }

    /// Returns the problems that prevent changing a stored record.
    ///
    /// Rules apply to what a change touches. A record may be older than a rule: a value that the change leaves as it is
    /// need not follow the rules of its property, and a problem that ``Model/validate()`` already finds in the stored
    /// record counts only if the change touches the property that it names.
    ///
    /// - Parameters:
    ///   - stored: The record as it is stored.
    ///   - values: The new values by property name; a property that is missing or has its stored value is untouched.
    ///   - isComplete: False when a new value is missing because it cannot be read. ``Model/validate()`` is not called
    ///     then.
    package func problems(
        changing stored: Record, to values: [String: FieldValue], isComplete: Bool = true
    ) -> [FieldProblem] {
        var merged = storedProperties.indices.map { $0 < stored.values.count ? stored.values[$0] : .null }
        var touched: [String: FieldValue] = [:]
        for (index, property) in storedProperties.enumerated() {
            guard let value = values[property.name], value != merged[index] else { continue }
            touched[property.name] = value
            merged[index] = value
        }
        guard !touched.isEmpty else { return [] }
        let problems = problems(in: touched)
        guard problems.isEmpty, isComplete else { return problems }
        let changed = Record(id: stored.id, version: stored.version, values: merged)
        return newProblems(in: changed, since: stored) { touched[$0] != nil }
    }

    /// Returns the problems with the rules of single properties, for values that fit their types.
    ///
    /// - Parameters:
    ///   - indexes: The values to check, by their indexes among the stored properties.
    ///   - values: The values in the order of the stored properties.
    package func ruleProblems(at indexes: [Int], in values: [FieldValue]) -> [FieldProblem] {
        indexes.compactMap { index in
            guard storedProperties.indices.contains(index), values.indices.contains(index) else { return nil }
            let property = storedProperties[index]
            return property.ruleProblem(with: values[index], of: self).map {
                FieldProblem(property: property.name, message: $0)
            }
        }
    }

    /// Returns the problems that ``Model/validate()`` finds in a changed record, without those that the stored record
    /// already has and whose properties the change does not touch.
    ///
    /// - Parameter isTouched: A closure that says whether the change touches the property with a name.
    package func newProblems(
        in changed: Record, since stored: Record, isTouched: (String) -> Bool
    ) -> [FieldProblem] {
        let problems = problems(in: changed)
        guard !problems.isEmpty else { return [] }
        let known = Set(self.problems(in: stored))
        return problems.filter { isTouched($0.property) || !known.contains($0) }
    }

    /// Returns the problems that prevent keeping values that were stored before.
    ///
    /// Only types count. A record may be older than a rule, and a snapshot must not lose it for that reason.
    package func validationProblems(in values: [String: FieldValue]) -> [FieldProblem] {
        storedProperties.compactMap { property in
            guard let value = values[property.name] else { return nil }
            return property.validationProblem(of: value, in: self).map {
                FieldProblem(property: property.name, message: $0)
            }
        }
    }

    /// Returns the first problem of a record's values, given in column order, as ``validationProblems(in:)`` does.
    package func validationProblem(in values: ArraySlice<FieldValue>) -> FieldProblem? {
        for (property, value) in zip(storedProperties, values) {
            if let message = property.validationProblem(of: value, in: self) {
                return FieldProblem(property: property.name, message: message)
            }
        }
        return nil
    }

    /// Returns the problems that ``Model/validate()`` finds in a record whose values fit their properties.
    package func problems(in record: Record) -> [FieldProblem] {
        validation?(record) ?? []
    }

    /// Returns the problems that prevent storing a record.
    ///
    /// The method checks the values one by one first. If they fit and none is missing, it checks the rules across
    /// them: a model's own ``Model/validate()`` may rely on the rules of its properties.
    ///
    /// - Parameter defaults: The values of properties that `values` does not have, for ``Model/validate()`` alone.
    package func problems(
        in values: [String: FieldValue], of record: UUID, defaults: [String: FieldValue] = [:]
    ) -> [FieldProblem] {
        let problems = problems(in: values)
        guard problems.isEmpty else { return problems }
        let complete = storedProperties.compactMap { values[$0.name] ?? defaults[$0.name] }
        guard complete.count == storedProperties.count else { return [] }
        return self.problems(in: Record(id: record, version: 0, values: complete))
    }
}

extension PropertySchema {
    /// The greatest length of a text in one field, in bytes: far above any name, and little enough for a page.
    package static let longestText = 1_000_000

    fileprivate func problem(with value: FieldValue, of model: ModelSchema) -> String? {
        if isMandatory, isNothing(value) { return missing(in: model) }
        return validationProblem(of: value, in: model) ?? rules.problem(with: value, of: type)
    }

    fileprivate func ruleProblem(with value: FieldValue, of model: ModelSchema) -> String? {
        isMandatory && isNothing(value) ? missing(in: model) : rules.problem(with: value, of: type)
    }

    fileprivate func validationProblem(of value: FieldValue, in model: ModelSchema) -> String? {
        guard value.isNull else { return refusal(of: value) }
        return isOptional ? nil : missing(in: model)
    }

    private func isNothing(_ value: FieldValue) -> Bool {
        switch value {
        case .null: true
        case .text(let text): text.isBlank || value == type.emptyValue
        case .blob: value == type.emptyValue
        case .integer, .real: false
        }
    }

    /// Returns the problem of the value with the property's type, and with the Swift type that decodes its JSON.
    private func refusal(of value: FieldValue) -> String? {
        if let refusal = type.refusal(of: value) { return refusal }
        guard let rewritten = traits.rewritten else { return nil }
        do {
            return type.refusal(of: try rewritten(value, type.scale))
        } catch {
            guard case .invalidJSON(_, let reason) = error.reason else {
                return localized("This JSON doesn’t fit the field.")
            }
            return localized("This JSON doesn’t fit: \(reason).")
        }
    }

    /// Returns the reason why the program cannot read a stored value, without the value; nil if it can.
    package func unreadableReason(of value: FieldValue) -> String? {
        guard !value.isNull, let rewritten = traits.rewritten else { return nil }
        do {
            _ = try rewritten(value, type.scale)
            return nil
        } catch {
            guard case .invalidJSON(_, let reason) = error.reason else { return "its JSON does not fit the type" }
            return reason
        }
    }

    private func missing(in model: ModelSchema) -> String {
        switch type {
        case .toOne, .choice, .integerChoice: localized("Choose \(TextFormatter.withArticle(noun)).")
        case .boolean: localized("Choose yes or no for “\(label)”.")
        case .array: localized("The \(model.singularName) needs at least one entry in “\(label)”.")
        default: localized("The \(model.singularName) needs \(TextFormatter.withArticle(labelInSentence)).")
        }
    }
}

/// A problem with one field, or with a whole record, in words for the person who typed it.
///
/// ```swift
/// FieldProblem(\Loan.returned, "Choose a day after the loan began.")
/// FieldProblem("A loan is of a copy or of a volume, not of both.")
/// ```
///
/// A problem never quotes the typed value.
public struct FieldProblem: Error, Sendable, Hashable, Codable {
    /// The name of the property; empty when the problem concerns the whole record.
    public let property: String
    /// A sentence that says what to do instead.
    public let message: String

    package init(property: String, message: String) {
        self.property = property
        self.message = message
    }

    /// Creates a problem with one field.
    ///
    /// - Parameters:
    ///   - property: A stored property of the model. With any other key path, such as a computed property, the problem
    ///     concerns the whole record.
    ///   - message: A sentence that says what to do instead. A sentence without interpolations is translated into the
    ///     current language.
    public init<M: Model>(_ property: any PartialKeyPath<M> & Sendable, _ message: String) {
        self.init(property: M.schema.property(at: property)?.name ?? "", message: message.translated)
    }

    /// Creates a problem with the whole record. The admin shows it above the fields.
    ///
    /// - Parameter message: A sentence that says what to do instead. A sentence without interpolations is translated
    ///   into the current language.
    public init(_ message: String) {
        self.init(property: "", message: message.translated)
    }
}
