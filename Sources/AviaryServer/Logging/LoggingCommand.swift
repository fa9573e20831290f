/// A command that serves: its log lines name its role, and its flags decide what they look like.
protocol LoggingCommand {
    var role: ProcessRole { get }
    var logSettings: LogSettings { get throws }
}

extension LoggingCommand {
    var logSettings: LogSettings { get throws { try LogSettings() } }
}
