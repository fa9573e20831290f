package import Foundation

/// Figures over many records: what takes longer than a page should, so whoever asks keeps the answers for a while.
package protocol StatisticsRepository: Sendable {
    /// Returns the number of changes in the history between each two of these times, by model.
    ///
    /// - Parameter times: The times in ascending order, one more than there are numbers for each model.
    func changes(of models: Set<String>, between times: [Date]) async throws -> [String: [Int]]

    /// Returns the number of records of the model with each value of a property.
    ///
    /// - Parameter limit: The greatest number of values, the most frequent first.
    func distribution(of property: String, in model: String, limit: Int) async throws -> [ValueCount]
}

/// The number of records that have a value.
package struct ValueCount: Sendable, Hashable {
    package let value: FieldValue
    package let count: Int

    package init(value: FieldValue, count: Int) {
        self.value = value
        self.count = count
    }
}
