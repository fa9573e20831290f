/// An error that reports a part of a ``FetchDescriptor`` that the store cannot evaluate, or not with certainty as Swift
/// would.
///
/// ```swift
/// do {
///     let long = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.name.count > 20 }))
/// } catch let error as QueryError {
///     print(error)  // Animal: \String.count is not known to the store. Compare the value itself, …
/// }
/// ```
///
/// The store reports the error before it reads anything. Two errors depend on the records: a calculation that leaves
/// the range of its numbers, and a delete that finds too many records.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model that is fetched.
    public let model: String
    /// The rejected part: a kind of expression or a key path. It never contains a value.
    public let expression: String
    /// The reason, and what to write instead.
    public let advice: String

    package init(model: String, expression: String, advice: String) {
        self.model = model
        self.expression = expression
        self.advice = advice
    }

    /// The model, the rejected part and the advice in one line.
    public var description: String { "\(model): \(expression) \(advice)" }
}
