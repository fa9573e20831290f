public import AviaryDomain
import Foundation

/// A request to a route of the application's own.
public struct RouteRequest: Sendable {
    /// The HTTP method.
    public let method: Route.Method
    /// The path of the request, without the query.
    public let path: String

    /// The name of the account that sent the request, under which changes are stored; nil when nobody is signed in.
    ///
    /// It can only be nil in a route with ``Route/Access/everyone``.
    public let user: String?
    /// The name of the account's role; nil when nobody is signed in.
    public let role: String?

    /// The store of the admin.
    ///
    /// Changes are stored under the name of this user, otherwise under `anonymous`, and save hooks run for them. The
    /// store checks no role: the route's ``Route/Access`` is the only protection.
    public let store: AviaryStore
    /// The token that a form must send back in a hidden field named `csrf`. Each response has a new token.
    public let csrfToken: String
    /// The body of the request, at most 2 MiB; empty for a form and for the method `GET`.
    public let body: [UInt8]
    /// The language tag (BCP 47) of the answer, such as `de`: the one that `localized` writes in while a handler runs.
    public let language: String
    let principal: Principal?
    let schema: Schema
    let parameters: [String: String]
    let query: [FormField]
    let form: [FormField]

    /// Returns a parameter of the path.
    ///
    /// - Parameter name: The name of the parameter, as in the braces of the route's path.
    /// - Throws: ``RouteHTTPError`` with status 404 when the path has no such parameter.
    public func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else {
            throw RouteHTTPError(status: 404, "There is no \(name) in this address.")
        }
        return value
    }

    /// Returns a parameter of the path as the id of a record.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - model: The model of the record; inferred by default.
    /// - Throws: ``RouteHTTPError`` with status 404 when the path has no such parameter, or when it is not an id.
    public func id<M: Model>(_ name: String, of model: M.Type = M.self) throws -> RecordID<M> {
        guard let id = UUID(canonicalText: try parameter(name)) else {
            throw RouteHTTPError(status: 404, "The address names no record.")
        }
        return RecordID(id)
    }

    /// Returns whether the role of the account that sent the request allows an action on a model's records.
    ///
    /// ```swift
    /// if request.may(.edit, on: Animal.self) { form }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - model: The model.
    public func may<M: Model>(_ action: ModelAction, on model: M.Type) -> Bool {
        principal?.may(action, M.modelName) ?? false
    }

    /// Returns whether the account that sent the request may see a property.
    ///
    /// It may when its role can view the model and does not hide the property or the model that the property
    /// refers to. The ``store`` is not subject to roles, so a route that shows records asks this method.
    public func maySee<M: Model>(_ property: any PartialKeyPath<M> & Sendable) -> Bool {
        guard let (principal, model, name) = place(of: property) else { return false }
        return principal.may(.view, model.name) && principal.maySee(name, of: model)
    }

    /// Returns whether the account that sent the request may set a property of the records that it may edit.
    ///
    /// It may unless the admin or its role declares the property read-only.
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

    /// Returns the last value of a field of the query, or nil when the query does not have the field.
    ///
    /// - Parameter name: The name of the field.
    public func query(_ name: String) -> String? { query.value(name) }

    /// Returns all values of a field of the query that may be repeated.
    ///
    /// - Parameter name: The name of the field.
    public func queryValues(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// Returns the last value of a field of the form, or nil when the form does not have the field.
    ///
    /// - Parameter name: The name of the field.
    public func form(_ name: String) -> String? { form.value(name) }

    /// Returns all values of a field of the form that may be repeated.
    ///
    /// - Parameter name: The name of the field.
    public func formValues(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }

    /// Returns a value decoded from the JSON of the body.
    ///
    /// - Parameter type: The type of the value; inferred by default.
    /// - Throws: ``RouteHTTPError`` with status 400 when the body cannot be decoded. Its message contains nothing of the
    ///   body.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw RouteHTTPError(status: 400, "The body is not the JSON that is expected here.")
        }
    }
}

/// An error that a route's handler throws to answer with a status and a message.
///
/// ```swift
/// guard amount > 0 else { throw RouteHTTPError(status: 422, "The amount must be positive.") }
/// ```
public struct RouteHTTPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The HTTP status code, from 400 to 599.
    public let status: Int
    /// The message to the person or program that sent the request.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - status: The HTTP status code, from 400 to 599.
    ///   - message: A sentence. A browser shows it in a page of the admin, other programs receive plain text.
    public init(status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
