import AviaryDomain
import Foundation

/// What `status` tells of the check of the store's file.
struct FileCheckReport: Encodable {
    enum State: String, Encodable, CaseIterable {
        case notNeeded, running, ok, damaged, unfinished
    }

    let state: State
    /// When it ended.
    let at: String?
    /// What is wrong.
    let problems: [String]
    let text: String

    init(_ check: FileCheck) {
        text = "\(check)"
        switch check {
        case .notNeeded: (state, at, problems) = (.notNeeded, nil, [])
        case .running: (state, at, problems) = (.running, nil, [])
        case .ok(let time): (state, at, problems) = (.ok, time.rfc3339, [])
        case .damaged(let lines, let time): (state, at, problems) = (.damaged, time.rfc3339, lines)
        case .unfinished: (state, at, problems) = (.unfinished, nil, [])
        }
    }
}
