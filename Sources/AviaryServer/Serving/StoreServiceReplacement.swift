package import AviaryIPC

/// Lets a test program put a faulty store in place of the real one, to see that the load harness finds the fault.
///
/// Nothing in the library sets it, and no flag or environment variable can.
package enum StoreServiceReplacement {
    @TaskLocal package static var replace: @Sendable (any StoreService) -> any StoreService = { $0 }
}
