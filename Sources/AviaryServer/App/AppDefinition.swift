import AviaryDomain

/// What an application declares, checked.
struct AppDefinition: Sendable {
    let name: String
    let commandName: String
    let schema: Schema
    let configurations: [ModelConfiguration]
    let migrationPlan: MigrationPlan?
    let history: HistoryPolicy
    let roles: Roles
    let routes: OwnRoutes
    let saveHooks: SaveHooks
    let languages: [Language]
    let sampleChanges: [Change]

    /// - Throws: `SchemaError`, `RoleError` or `RouteError` for a mistake in the declaration.
    init<App: AviaryApp>(_ type: App.Type) throws {
        let app = App()
        let registrations = app.admin.registrations
        name = App.name
        commandName = App.commandName
        let schema = try Schema(registrations.map(\.schema) + Schema.builtIn)
        self.schema = schema
        var configurations: [ModelConfiguration] = []
        for registration in registrations {
            var configuration = try registration.configuration()
            configuration.sheet = try SheetConfiguration(registration.sheet, of: registration.schema, in: schema)
            configurations.append(configuration)
        }
        self.configurations = configurations
        migrationPlan = try app.migrationPlan.map { try MigrationPlan($0, to: schema) }
        history = app.history
        roles = try Roles(app.roles, models: Set(registrations.map(\.schema.name)))
        routes = try OwnRoutes(app.routes)
        saveHooks = SaveHooks(app.saveHooks)
        languages = app.languages
        sampleChanges = app.sampleChanges
    }
}
