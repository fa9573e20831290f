/// Ends a test that cannot go on: what it looked at is of another kind than it must be.
struct UnexpectedResult: Error {}
