import AviaryDomain
import Foundation
import Logging

/// The hooks of an application that run between the input of a record and the check of its rules.
struct SavePreparation: Sendable {
    /// The time that the reads of the hooks of a change set have, with those of its repetitions.
    static let patience: Duration = .seconds(5)

    let hooks: SaveHooks
    let logger: Logger
    /// The records that hooks can read; nil without a store.
    var source: SaveReadSource?

    /// Returns the reads of a change set.
    ///
    /// - Parameter deadline: The time at which they end.
    func reads(until deadline: MonotonicTime = .now.advanced(by: patience)) -> SaveReads {
        SaveReads(source, until: deadline, limit: Self.patience)
    }

    /// Runs the hooks before a save and returns the resulting record.
    ///
    /// - Throws: ``StoreError``: `invalid` when a hook rejects the record, `unavailable` when a hook fails.
    func prepared(
        _ record: Record, of model: ModelSchema, _ context: SaveContext
    ) async throws(StoreError) -> Record {
        do {
            return try await hooks.before(record, of: model, context)
        } catch let refusal as SaveError {
            throw .invalid(model: model.name, [refusal.problem(in: model)])
        } catch is FieldValueError {
            // A value does not fit its property. The store reports which one.
            return record
        } catch let error as ReadError {
            logger.warning("the reads of a hook ended", error: error)
            throw .busy(retryAfter: 1)
        } catch let error as QueryError {
            logger.error("a hook cannot read", metadata: ["model": "\(model.name)", "error": "\(error)"])
            throw .unavailable("a hook of the application failed; nothing was stored.")
        } catch {
            logger.error(
                "a hook before a save failed", metadata: ["model": "\(model.name)", "error": "\(type(of: error))"])
            throw .unavailable("a hook of the application failed; nothing was stored.")
        }
    }

    /// Returns the values that the hooks give a record that is only checked, or the problem for which one rejects it.
    ///
    /// - Parameters:
    ///   - values: The values by property name.
    ///   - version: The version of the stored record; nil for a new one.
    ///   - author: The account that wants to save the record.
    ///   - earlier: The records that the same change set is to save before this one.
    func checked(
        _ values: [String: FieldValue], of model: ModelSchema, id: UUID, version: Int64?, by author: String,
        behind earlier: EarlierRecords
    ) async throws(StoreError) -> Result<[String: FieldValue], FieldProblem> {
        let whole = model.storedProperties.map { values[$0.name] ?? $0.defaultValue }
        let context = SaveContext(
            author: author, isNew: version == nil, changeSet: .version7(), commit: nil,
            reads: SaveReads(
                source, until: .now.advanced(by: Self.patience), limit: Self.patience, behind: earlier))
        do {
            let record = try await prepared(
                Record(id: id, version: version ?? 0, values: whole), of: model, context)
            earlier.note(record, of: model)
            return .success(model.valuesByName(record.values))
        } catch {
            guard case .invalid(_, let problems) = error.reason, let problem = problems.first else { throw error }
            return .failure(problem)
        }
    }
}

extension ModelSchema {
    /// Returns values in the order of the stored properties by the names of these.
    func valuesByName(_ values: [FieldValue]) -> [String: FieldValue] {
        Dictionary(zip(storedProperties.map(\.name), values), uniquingKeysWith: { first, _ in first })
    }
}
