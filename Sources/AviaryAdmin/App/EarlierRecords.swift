import AviaryDomain
import Synchronization

/// The records that are saved before one, in the same change set or file, which its hooks see as
/// ``SaveContext/saved(_:)``.
///
/// It has at least the last 10,000 of a model, as many as a hook can read from the store.
final class EarlierRecords: Sendable {
    /// The records of a model and, for the first of them, their Swift values.
    private struct Records {
        var records: [Record] = []
        /// The values that hooks have asked for. Each record is decoded once, however many hooks ask.
        var decoded: (any DecodedModels)?

        mutating func append(_ record: Record) {
            // Removing many at a time keeps the time per record constant.
            if records.count == 2 * SaveReads.largestRead {
                records.removeFirst(SaveReads.largestRead)
                decoded?.removeFirst(SaveReads.largestRead)
            }
            records.append(record)
        }

        mutating func removeLast() {
            guard records.popLast() != nil else { return }
            decoded?.shorten(to: records.count)
        }

        mutating func values<M: Model>() throws -> [M] {
            let known: Decoded<M>
            if let decoded = decoded as? Decoded<M> {
                known = decoded
            } else {
                known = Decoded()
                decoded = known
            }
            for record in records[known.models.count...] { known.models.append(try M(record)) }
            return known.models
        }
    }

    private struct State {
        var models: [String: Records] = [:]
        /// The models of the records since the last end of a line.
        var line: [String] = []
    }

    private let state = Mutex(State())

    /// Returns the records of a model, in the order of their saves.
    ///
    /// - Throws: ``FieldValueError`` when a value does not fit its property.
    func values<M: Model>(_ model: M.Type) throws -> [M] {
        try state.withLock { state in try state.models[M.modelName]?.values() ?? [] }
    }

    func note(_ record: Record, of model: ModelSchema) {
        state.withLock { state in
            state.models[model.name, default: Records()].append(record)
            state.line.append(model.name)
        }
    }

    /// Ends a line, and removes its records if they are not to be saved.
    func endLine(isSaved: Bool) {
        state.withLock { state in
            if !isSaved { for model in state.line { state.models[model]?.removeLast() } }
            state.line = []
        }
    }

    func removeAll() { state.withLock { $0 = State() } }
}

/// The decoded records of a model of any type.
private protocol DecodedModels: AnyObject {
    func removeFirst(_ count: Int)
    func shorten(to count: Int)
}

/// The decoded records of a model. It is a class, because an array in an `any` is copied for each record that is added.
private final class Decoded<M: Model>: DecodedModels {
    var models: [M] = []

    func removeFirst(_ count: Int) { models.removeFirst(min(count, models.count)) }
    func shorten(to count: Int) { models.removeLast(max(models.count - count, 0)) }
}
