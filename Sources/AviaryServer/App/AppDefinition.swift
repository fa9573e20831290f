import AviaryDomain

/// What an application declares, checked.
struct AppDefinition: Sendable {
    let name: String
    let commandName: String
    let schema: Schema
    let configurations: [ModelConfiguration]
    let history: HistoryPolicy
    let sampleData: [any Model]

    /// - Throws: `SchemaError` for a mistake in the declaration.
    init<App: AviaryApp>(_ type: App.Type) throws(SchemaError) {
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
        sampleData = app.sampleData
    }
}
