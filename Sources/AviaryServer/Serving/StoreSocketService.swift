import AviaryIPC
import Logging
import ServiceLifecycle

/// The store's socket as a part of a process: it ends after everything that writes through it.
struct StoreSocketService: Service {
    let container: DependencyContainer
    let descriptor: CInt
    let logger: Logger

    func run() async throws {
        guard let store = container.storeService else { return }
        let server = StoreServer(service: store, schema: container.schema, logger: logger)
        await cancelWhenGracefulShutdown {
            do {
                try await server.run(on: descriptor)
            } catch is CancellationError {
                return
            } catch {
                logger.error("the store's socket ended", error: error)
            }
        }
    }
}
