package import Foundation

/// Records, and for each of some relations the related records of each, as they were at one moment.
package struct RelatedRecordLists: Sendable {
    package let records: [Record]
    /// The related records for each requested relation, by the id of the record that has it. No record is left out.
    package let related: [[UUID: [Record]]]

    package init(records: [Record], related: [[UUID: [Record]]]) {
        self.records = records
        self.related = related
    }
}
