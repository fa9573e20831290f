import Logging

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Supervisor {
    /// Ends all: the workers first, which answer what they have begun, then the store, which commits what it holds.
    package func end() {
        guard !isEnding else { return }
        isEnding = true
        for (role, slot) in slots where role != .store {
            slot.process?.send(SIGTERM)
            killIfLate(role, slot.process)
        }
        endStoreAfterWorkers()
    }

    func endStoreAfterWorkers() {
        guard slots.allSatisfy({ $0.key == .store || $0.value.process == nil }) else { return }
        guard let store = slots[.store]?.process else { return wake() }
        store.send(SIGTERM)
        // A stopped process does not see SIGTERM until it goes on.
        store.send(SIGCONT)
        killIfLate(.store, store)
    }

    private func killIfLate(_ role: Role, _ process: ChildProcess?) {
        guard let process else { return }
        process.send(SIGCONT)
        Task {
            try? await Task.sleep(for: Self.patience)  // never cancelled
            guard slots[role]?.process?.pid == process.pid else { return }
            logger.error("\(role) did not end in time and is killed", metadata: ["pid": "\(process.pid)"])
            process.send(SIGKILL)
        }
    }
}
