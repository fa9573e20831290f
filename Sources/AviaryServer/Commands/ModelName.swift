import ArgumentParser
import AviaryDomain

extension Schema {
    /// One of the application's own models, by its name or as addresses have it.
    ///
    /// - Throws: `ValidationError` that names those that there are.
    func model(forArgument name: String) throws -> ModelSchema {
        let own = models.filter { !$0.isBuiltIn }
        guard let model = own.first(where: { $0.name == name }) ?? own.first(where: { $0.slug == name }) else {
            throw ValidationError("There is no model \"\(name)\". There are \(Words.list(own.map(\.name))).")
        }
        return model
    }
}
