import Foundation

/// How many web workers there may be, and how many there are unless somebody says.
enum WorkerCount {
    static let range = 1...256
    static var usual: Int { ProcessInfo.processInfo.activeProcessorCount }
}
