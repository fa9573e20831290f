import NIOPosix
import ServiceLifecycle

extension Server {
    /// Health, readiness and metrics on a socket of their own, which is never busy with what browsers ask; nothing where
    /// there is no such socket.
    func watchServices(_ container: DependencyContainer, descriptor: CInt?) -> [any Service] {
        guard let descriptor else { return [] }
        return [
            HTTPService(
                descriptor: descriptor,
                responder: WatchResponder(
                    routes: HealthRoutes(application: app.name, container: container),
                    names: Set((settings.allowedHosts + [settings.publicURL?.authority].compactMap(\.self)).map(\.host))
                ),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
            )
        ]
    }
}
