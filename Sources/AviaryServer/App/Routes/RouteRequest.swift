public import AviaryDomain
import Foundation

/// What an own route is asked.
public struct RouteRequest: Sendable {
    public let method: Route.Method
    /// As it was asked for, without the query.
    public let path: String
    /// Who asks: the account's name, under which changes are stored. Nil where nobody is signed in, which only
    /// ``Route/Access/everyone`` lets through.
    public let user: String?
    /// The name of the account's role.
    public let role: String?
    /// The store that the admin shows; what is written through it is written by this user, else by `anonymous`, and passes the
    /// save hooks. It asks for no role: the route's ``Route/access`` is what guards it.
    public let store: AviaryStore
    /// What a form that is posted back must carry in a hidden field named `csrf`. New in every response.
    public let csrfToken: String
    /// The body, up to 2 MiB; empty where it was a form.
    public let body: [UInt8]
    let principal: Principal?
    let schema: Schema
    let parameters: [String: String]
    let query: [FormField]
    let form: [FormField]

    /// - Throws: ``RouteRefusal`` with 404 when the path has no such parameter.
    public func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else {
            throw RouteRefusal(status: 404, "There is no \(name) in this address.")
        }
        return value
    }

    /// The parameter as a record's id.
    ///
    /// - Throws: ``RouteRefusal`` with 404 when it is none.
    public func id<M: Model>(_ name: String, of model: M.Type = M.self) throws -> RecordID<M> {
        guard let id = UUID(canonicalText: try parameter(name)) else {
            throw RouteRefusal(status: 404, "The address names no record.")
        }
        return RecordID(id)
    }

    /// Whether whoever asks may see the property: their role shows the model and does not hide the property, nor the model that
    /// it leads to. The ``store`` asks for no role, so a route that shows records asks this.
    public func maySee<M: Model>(_ property: any PartialKeyPath<M> & Sendable) -> Bool {
        guard let (principal, model, name) = place(of: property) else { return false }
        return principal.may(.view, model.name) && principal.maySee(name, of: model)
    }

    /// Whether whoever asks may set the property of records that they may edit: neither the admin nor their role declares it
    /// read-only.
    public func maySet<M: Model>(_ property: any PartialKeyPath<M> & Sendable) -> Bool {
        guard let (principal, model, name) = place(of: property) else { return false }
        return principal.may(.edit, model.name) && principal.maySet(name, of: model)
    }

    private func place<M: Model>(
        of keyPath: any PartialKeyPath<M> & Sendable
    ) -> (Principal, ModelSchema, String)? {
        guard let principal, let model = schema.model(M.modelName), let property = model.property(at: keyPath) else {
            return nil
        }
        return (principal, model, property.name)
    }

    /// The last value of a field of the query; nil when it has none of this name.
    public func query(_ name: String) -> String? { query.value(name) }
    /// All values of a field that may be repeated.
    public func queryValues(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
    /// The last value of a field of the posted form.
    public func form(_ name: String) -> String? { form.value(name) }
    /// All values of a posted field that may be repeated.
    public func formValues(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }

    /// The body as JSON.
    ///
    /// - Throws: ``RouteRefusal`` with 400, which tells nothing of what was sent.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw RouteRefusal(status: 400, "The body is not the JSON that is expected here.")
        }
    }
}
