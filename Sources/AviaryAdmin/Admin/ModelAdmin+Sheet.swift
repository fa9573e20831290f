public import AviaryDomain

extension ModelAdmin {
    /// Adds a section with a title and fields to the sheet.
    ///
    /// ```swift
    /// ModelAdmin(Book.self)
    ///     .section("Publication", \.year, \.isbn)
    ///     .section("Lending", \.copies)
    /// ```
    ///
    /// The sections appear in the order of their declaration. Fields without a section appear above them.
    ///
    /// - Parameters:
    ///   - title: The title of the section.
    ///   - fields: The model's own properties, relations, and properties of ``computed(_:_:)``, each in one section
    ///     only. Anything else is a ``SchemaError`` when the application starts.
    public func section(_ title: String, _ fields: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.sections.append((title, fields)) }
    }

    /// Sets the label of a property: above its field and column, in messages, and as the heading of the column in an
    /// import.
    ///
    /// ```swift
    /// ModelAdmin(Book.self).label(\.isbn, "ISBN")
    /// ```
    ///
    /// The default label is made of the words of the property's name: `clutchSize` is "Clutch size".
    ///
    /// - Parameters:
    ///   - property: A property of the model.
    ///   - label: The label. An empty label, or that of another property, is a ``SchemaError`` when the application
    ///     starts.
    public func label(_ property: any PartialKeyPath<M> & Sendable, _ label: String) -> ModelAdmin {
        declaring { $0.labels.append((property, label)) }
    }

    /// Sets the help text below a field. The hint that its type and rules provide, such as the bounds of a number,
    /// follows it.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).help(\.name, "As it stands on its enclosure")
    /// ```
    ///
    /// - Parameters:
    ///   - property: A property of the model.
    ///   - text: A sentence.
    public func help(_ property: any PartialKeyPath<M> & Sendable, _ text: String) -> ModelAdmin {
        declaring { $0.help.append((property, text)) }
    }

    /// Makes properties read-only in the sheet. The sheet shows them, and the server ignores values that a form sends
    /// for them.
    ///
    /// ```swift
    /// ModelAdmin(Member.self).readOnly(\.joined)
    /// ```
    ///
    /// A new record has the default values of these properties.
    ///
    /// - Parameter properties: Properties of the model. A property that must have a value and has no default is a
    ///   ``SchemaError`` when the application starts.
    public func readOnly(_ properties: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.readOnly += properties }
    }

    /// Leaves properties out of the sheet, such as one side of a many-to-many relation.
    ///
    /// ```swift
    /// ModelAdmin(Tag.self).hidden(\.books)
    /// ```
    ///
    /// A new record has the default values of these properties, and a changed one keeps its values. This arranges the
    /// sheet and protects nothing: lists, exports and the history show the values, and an imported file and the sheet
    /// of a related record set them. `Role.hide` and ``readOnly(_:)`` are permissions.
    ///
    /// - Parameter properties: Properties of the model. A property that must have a value and has no default, and one
    ///   in a section or inline, is a ``SchemaError`` when the application starts.
    public func hidden(_ properties: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.hidden += properties }
    }

    /// Adds a value to the sheet that is computed from the stored record.
    ///
    /// ```swift
    /// extension Animal {
    ///     var age: Int? { born.map { CalendarDate.today.year - $0.year } }
    /// }
    ///
    /// ModelAdmin(Animal.self).computed(\.age, "Age")
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: A property of any type that can be stored.
    ///   - label: The label of the value.
    public func computed<Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, _ label: String) -> ModelAdmin
    {
        declaring { $0.computed.append((keyPath, ComputedColumn(keyPath, title: label))) }
    }

    /// Sets the control of a property, in place of the default control of its type.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).widget(\.notes, .longText)
    /// ```
    ///
    /// - Parameters:
    ///   - property: A property of the model.
    ///   - widget: A control that fits the property. Any other is a ``SchemaError`` when the application starts.
    public func widget(_ property: any PartialKeyPath<M> & Sendable, _ widget: SheetWidget) -> ModelAdmin {
        declaring { $0.widgets.append((property, widget)) }
    }

    /// Adds the records of a one-to-many relation to the sheet as rows.
    ///
    /// ```swift
    /// ModelAdmin(AnimalCategory.self).inline(\.animals, \.name, \.diet)
    /// ```
    ///
    /// Users add, change and remove the rows in the sheet. The store commits them together with the record or not at
    /// all. The sheet shows the first 50 rows; further ones are unchanged. A user's permissions for rows are those for
    /// their model.
    ///
    /// - Parameters:
    ///   - property: A relation whose inverse is a reference to this model.
    ///   - fields: The properties that the rows show; all stored properties by default. Leaving out a property without
    ///     which no record can be stored is a ``SchemaError`` when the application starts.
    public func inline<Child: Model>(
        _ property: any KeyPath<M, Related<Child>> & Sendable, _ fields: any PartialKeyPath<Child> & Sendable...
    ) -> ModelAdmin {
        declaring { $0.rows.append(SheetDeclarations.Rows(keyPath: property, child: Child.modelName, fields: fields)) }
    }

    private func declaring(_ change: (inout SheetDeclarations) -> Void) -> ModelAdmin {
        var copy = self
        change(&copy.sheet)
        return copy
    }
}
