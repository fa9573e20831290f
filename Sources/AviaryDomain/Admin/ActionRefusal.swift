/// An error of an application's own action whose reason is for whoever asked for it.
package protocol ActionRefusal: Error {
    var reason: String { get }
}
