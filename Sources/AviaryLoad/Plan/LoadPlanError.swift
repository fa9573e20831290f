/// A load test that cannot be meant as it was asked for; the text says how to ask.
package struct LoadPlanError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
