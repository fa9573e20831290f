package import AviaryDomain

/// A statement that the engine has understood, and while it runs the row that it stands on. Confined to its
/// connection's user.
package protocol PreparedStatement: Row {
    /// - Parameter index: Of the first of them, from 1.
    func bind(_ values: [FieldValue], from index: Int) throws(EngineError)
    /// Goes to the next row; false when there is none.
    func step() throws(EngineError) -> Bool
    func bind(_ value: FieldValue, at index: Int) throws(EngineError)
    /// Runs a statement that gives no rows to its end. What is bound stays until something else is: quicker than
    /// ``reset()`` where it is run for each of many records.
    func execute() throws(EngineError)
    /// Ends the execution, which would otherwise keep its read transaction open, and lets go of bound values.
    func reset()
}

extension PreparedStatement {
    func bind(_ values: [FieldValue]) throws(EngineError) {
        try bind(values, from: 1)
    }
}
