import AviaryDomain
import Foundation

extension [FormField] {
    /// The records that are ticked, each once.
    ///
    /// - Throws: ``RequestRefusal/malformedForm`` for more than any page has rows, and for what is no id.
    func recordIDs() throws -> [UUID] {
        var seen: Set<UUID> = []
        let texts = values("id")
        guard texts.count <= 1000 else { throw RequestRefusal.malformedForm }
        return try texts.compactMap { text in
            guard let id = UUID(canonicalText: text) else { throw RequestRefusal.malformedForm }
            return seen.insert(id).inserted ? id : nil
        }
    }
}
