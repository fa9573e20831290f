/// Why a load test could not be done; the text says what to do next.
package struct LoadTestError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
