import AviaryData
import AviaryDomain
import Foundation

extension DependencyContainer {
    /// Whether a store that could not be opened may be opened later, although nobody changes the program or the file: when
    /// there is room on the disk, when somebody else lets go of the file.
    static func mayPass(_ error: any Error, data path: String) -> Bool {
        switch error {
        case let error as EngineError: mayPass(error.kind, file: DataDirectory.hasWritableStore(at: path))
        // Of sample data, which a new store takes in.
        case StoreError.outOfSpace, StoreError.busy, StoreError.unavailable, StoreError.unanswered: true
        default: false
        }
    }

    private static func mayPass(_ kind: EngineError.Kind, file isReachable: Bool) -> Bool {
        switch kind {
        case .outOfSpace, .outOfMemory, .interrupted, .busy, .disk, .passingDisk, .flush: true
        // Of a file that this user may read and write it was the system that had no room.
        case .cannotOpen: isReachable
        case .constraint, .unfit, .damage, .other: false
        }
    }
}
