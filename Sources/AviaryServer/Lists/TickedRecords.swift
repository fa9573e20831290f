import AviaryDomain
import Foundation

extension [FormField] {
    /// The records that are ticked, each once.
    ///
    /// - Parameter refusal: What is thrown for more than any page has rows, and for what is no id.
    func recordIDs(orThrow refusal: @autoclosure () -> RequestRefusal = .malformedForm) throws -> [UUID] {
        var seen: Set<UUID> = []
        let texts = values("id")
        guard texts.count <= 1000 else { throw refusal() }
        return try texts.compactMap { text in
            guard let id = UUID(canonicalText: text) else { throw refusal() }
            return seen.insert(id).inserted ? id : nil
        }
    }
}
