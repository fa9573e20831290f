public import AviaryDomain

extension ModelAdmin {
    /// Fields that stand together in the sheet under a title.
    ///
    /// ```swift
    /// ModelAdmin(Book.self)
    ///     .section("Publication", \.year, \.isbn)
    ///     .section("Lending", \.copies)
    /// ```
    ///
    /// Sections stand in the order of their declaration. Fields that none names stand above them all.
    ///
    /// - Parameter fields: The model's own properties, relations, and what ``computed(_:_:)`` declares. Each in one section;
    ///   anything else is a `SchemaError` when the application starts.
    public func section(_ title: String, _ fields: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.sections.append((title, fields)) }
    }

    /// What people call a property: above its field and its column, in messages, and as the heading of a column to import.
    ///
    /// ```swift
    /// ModelAdmin(Book.self).label(\.isbn, "ISBN")
    /// ```
    ///
    /// Without it the words are those of the property's name: `clutchSize` is "Clutch size".
    ///
    /// - Parameter label: Not empty, and of no other property; else a `SchemaError` when the application starts.
    public func label(_ property: any PartialKeyPath<M> & Sendable, _ label: String) -> ModelAdmin {
        declaring { $0.labels.append((property, label)) }
    }

    /// A sentence below the field, instead of what its type and rules say.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).help(\.name, "As it stands on its enclosure")
    /// ```
    public func help(_ property: any PartialKeyPath<M> & Sendable, _ text: String) -> ModelAdmin {
        declaring { $0.help.append((property, text)) }
    }

    /// Properties that the sheet shows and nobody can set there, whatever a form says. A new record has their defaults.
    ///
    /// ```swift
    /// ModelAdmin(Member.self).readOnly(\.joined)
    /// ```
    ///
    /// What must have a value and has no default is a `SchemaError` when the application starts.
    public func readOnly(_ properties: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.readOnly += properties }
    }

    /// A value that is worked out from the stored record and shown in its sheet.
    ///
    /// ```swift
    /// extension Animal {
    ///     var age: Int? { born.map { CalendarDate.today.year - $0.year } }
    /// }
    ///
    /// ModelAdmin(Animal.self).computed(\.age, "Age")
    /// ```
    ///
    /// - Parameter keyPath: To a property of any type that can be stored.
    public func computed<Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, _ label: String) -> ModelAdmin
    {
        declaring { $0.computed.append((keyPath, ComputedColumn(keyPath, title: label))) }
    }

    /// Another control than the type's own.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).widget(\.notes, .longText)
    /// ```
    ///
    /// - Parameter widget: One that fits the property; any other is a `SchemaError` when the application starts.
    public func widget(_ property: any PartialKeyPath<M> & Sendable, _ widget: SheetWidget) -> ModelAdmin {
        declaring { $0.widgets.append((property, widget)) }
    }

    /// The records of a to-many relation as rows of the sheet: they are added, changed and removed there, and stored together
    /// with the record or not at all.
    ///
    /// ```swift
    /// ModelAdmin(AnimalCategory.self).inline(\.animals, \.name, \.diet)
    /// ```
    ///
    /// The sheet shows the first 50; others stay as they are. What one may do with rows is what one may do with their model.
    ///
    /// - Parameters:
    ///   - property: A relation whose other side is a reference to this model.
    ///   - fields: What the rows show of each record; all that is stored, unless given. A field without which no record can be
    ///     stored must be among them; else it is a `SchemaError` when the application starts.
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
