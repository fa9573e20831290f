import AviaryDomain

/// What an application declares, checked.
struct AppDefinition: Sendable {
    let name: String
    let commandName: String
    let schema: Schema
    let configurations: [ModelConfiguration]
    let history: HistoryPolicy
    let routes: OwnRoutes
    let saveHooks: SaveHooks
    let sampleChanges: [Change]

    /// - Throws: `SchemaError` or `RouteError` for a mistake in the declaration.
    init<App: AviaryApp>(_ type: App.Type) throws {
        let app = App()
        let registrations = app.admin.registrations
        name = App.name
        commandName = App.commandName
        schema = try Schema(registrations.map(\.schema))
        var configurations: [ModelConfiguration] = []
        for registration in registrations {
            configurations.append(try registration.configuration())
        }
        self.configurations = configurations
        history = app.history
        routes = try OwnRoutes(app.routes)
        saveHooks = SaveHooks(app.saveHooks)
        sampleChanges = app.sampleChanges
    }
}
