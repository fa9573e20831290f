import Foundation

/// The operating system's description of the last failed call.
enum SystemError {
    static var current: String { String(cString: strerror(errno)) }
}
