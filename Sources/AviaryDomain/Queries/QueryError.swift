/// Something in a ``FetchDescriptor`` that the store cannot be asked, or not with certainty for the answer that Swift
/// would give. Found before anything is read.
///
/// ```swift
/// do {
///     let long = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.name.count > 20 }))
/// } catch let error as QueryError {
///     print(error)  // Animal: \String.count is not known to the store. Compare the value itself, …
/// }
/// ```
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
    public let model: String
    /// What was met: a kind of expression or a key path. Never a value.
    public let expression: String
    /// What to write instead.
    public let advice: String

    package init(model: String, expression: String, advice: String) {
        self.model = model
        self.expression = expression
        self.advice = advice
    }

    public var description: String { "\(model): \(expression) \(advice)" }
}
