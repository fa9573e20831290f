/// How many records of a model a commit changed in the same way.
package struct ChangeTally: Sendable, Hashable {
    package let model: String
    package let kind: RecordChange.Kind
    package let count: Int

    package init(model: String, kind: RecordChange.Kind, count: Int) {
        self.model = model
        self.kind = kind
        self.count = count
    }
}
