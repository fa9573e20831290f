/// One of the values to choose from.
package struct Option: Sendable {
    package let value: String
    package let label: String

    package init(value: String, label: String) {
        self.value = value
        self.label = label
    }
}
