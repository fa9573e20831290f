/// In whose name a command writes: whoever may run it on the data directory may do everything there.
enum CommandAuthor {
    static let name = "command line"
}
