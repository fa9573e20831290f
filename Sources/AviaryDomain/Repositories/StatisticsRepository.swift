package import Foundation

/// Figures over many records: what takes longer than a page should, so whoever asks keeps the answers for a while.
package protocol StatisticsRepository: Sendable {
    /// How many changes the history has between each two of these times, by model.
    ///
    /// - Parameter times: In their order; one more than there are numbers of each model.
    func changes(of models: Set<String>, between times: [Date]) async throws -> [String: [Int]]

    /// How many records of the model have each value of a property.
    ///
    /// - Parameter limit: At most so many values, those that most records have.
    func distribution(of property: String, in model: String, limit: Int) async throws -> [ValueCount]
}

/// How many records have a value.
package struct ValueCount: Sendable, Hashable {
    package let value: FieldValue
    package let count: Int

    package init(value: FieldValue, count: Int) {
        self.value = value
        self.count = count
    }
}
