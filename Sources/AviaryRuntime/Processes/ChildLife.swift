import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The child's side of its bond with the supervisor.
package enum ChildLife {
    /// Tells the supervisor that this process serves now.
    package static func reportReady() {
        var byte: UInt8 = 1
        _ = write(InheritedDescriptor.readiness, &byte, 1)
        close(InheritedDescriptor.readiness)
    }

    /// Runs the action once the supervisor is gone. On a thread of its own: nothing may keep it from noticing.
    package static func onOrphaned(_ action: @escaping @Sendable () -> Void) {
        let thread = Thread {
            var byte: UInt8 = 0
            while true {
                let count = read(InheritedDescriptor.death, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            action()
        }
        thread.name = "supervisor watch"
        thread.stackSize = 64 * 1024
        thread.start()
    }
}
