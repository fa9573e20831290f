/// An error of a view model whose principal lacks the permission for a request.
package enum AccessRefusal: Error, Sendable, Hashable {
    /// A request for something whose very existence the principal must not learn.
    case hidden
    case forbidden
}

extension Principal {
    /// - Throws: ``AccessRefusal``, `hidden` where not even viewing is permitted.
    package func check(_ action: ModelAction, _ model: ModelSchema) throws(AccessRefusal) {
        guard may(.view, model.name) else { throw .hidden }
        guard may(action, model.name) else { throw .forbidden }
    }

    /// - Throws: ``AccessRefusal``.
    package func check(_ task: SiteTask) throws(AccessRefusal) {
        guard may(task) else { throw .forbidden }
    }
}
