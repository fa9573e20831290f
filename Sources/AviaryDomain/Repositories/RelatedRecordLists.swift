package import Foundation

/// Records, and for each of some relations the related records of each, as they were at one moment.
package struct RelatedRecordLists: Sendable {
    package let records: [Record]
    /// For each relation asked for; by the id of the record that has it, none left out.
    package let related: [[UUID: [Record]]]

    package init(records: [Record], related: [[UUID: [Record]]]) {
        self.records = records
        self.related = related
    }
}
