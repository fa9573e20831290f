extension SQLiteConnection: ReaderConnection {
    func beginWork(within limit: Duration, unless interruption: Interruption?) {
        bounds.begin(limit: limit, interruption: interruption)
    }

    func endWork() {
        bounds.end()
    }

    func interrupter() -> any ConnectionInterrupter {
        SQLiteInterrupter(self)
    }
}
