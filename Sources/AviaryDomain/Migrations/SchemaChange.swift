/// A difference between a program's models and those of a file.
package enum SchemaChange: Sendable {
    case newModel(String)
    case newProperty(model: String, PropertySchema, UnfitDefault?)
    case becameUnique(model: String, property: String)
    case becameRepeatable(model: String, property: String)
    case becameOptional(model: String, property: String)
    case choicesAdded(model: String, property: String, [String])
    case choicesReordered(model: String, property: String)
    /// Choices that the program does not have. The migration is refused if records hold one.
    case choicesRemoved(model: String, property: String, [String])
    /// A property that declares its former name.
    case renamed(model: String, from: String, to: String)
    case widened(model: String, property: String, from: PropertyType, to: PropertyType, TypeWidening)
    /// A model, or a property of one, that the caller permits to drop.
    case dropped(model: String, property: String?)
    /// A model all of whose records a stage of the program converts.
    case converted(from: String, to: String)
    /// A change of a many-to-many relation.
    case relation(RelationChange)
    /// A change of an embedded struct.
    case embedded(EmbeddedChange)

    // The following changes would lose values, or need values that nobody has provided.

    case missingModel(String)
    case missingProperty(model: String, property: String, new: [String])
    case typeChanged(model: String, property: String, from: String, to: String)
    case becameMandatory(model: String, property: String)
    case unreadableLine(String)

    /// A reason for which existing records cannot begin with a new property's default.
    package enum UnfitDefault: Sendable {
        /// A missing default, or one that the property's own rules reject.
        case missing
        /// A default that two records would share although the property is unique.
        case repeated
    }
}

extension SchemaChange {
    package var kind: SchemaDifference.Kind {
        switch self {
        case .newModel, .choicesReordered: .additive
        case .newProperty(_, _, let unfit):
            switch unfit {
            case nil: .additive
            // The change is possible while there are fewer than two records.
            case .repeated: .exclusive
            case .missing: .refused
            }
        case .becameUnique, .becameRepeatable, .becameOptional, .choicesAdded, .choicesRemoved, .renamed, .widened,
            .dropped,
            .converted:
            .exclusive
        case .relation(let change): change.kind
        case .embedded(let change): change.kind
        case .missingModel, .missingProperty, .typeChanged, .becameMandatory, .unreadableLine: .refused
        }
    }

    /// The name of the model or property that has changed.
    package var subject: String {
        switch self {
        case .newModel(let model), .missingModel(let model): model
        case .newProperty(let model, let property, _): "\(model).\(property.name)"
        case .becameUnique(let model, let property), .becameRepeatable(let model, let property),
            .becameOptional(let model, let property), .choicesAdded(let model, let property, _),
            .choicesReordered(let model, let property), .missingProperty(let model, let property, _),
            .choicesRemoved(let model, let property, _), .typeChanged(let model, let property, _, _),
            .becameMandatory(let model, let property), .renamed(let model, _, let property),
            .widened(let model, let property, _, _, _):
            "\(model).\(property)"
        case .dropped(let model, let property): property.map { "\(model).\($0)" } ?? model
        case .converted(_, let model): model
        case .relation(let change): change.subject
        case .embedded(let change): change.subject
        case .unreadableLine: "a line that cannot be read"
        }
    }

    /// Indicates whether the change concerns one of the library's own models, which no application declares.
    package var isOfBuiltInModel: Bool { subject.hasPrefix(ModelSchema.builtInPrefix) }

    /// The step of the migration, for a list of steps; nil when the change is rejected.
    package var step: String? {
        switch self {
        case .newModel(let model): "add the model \(model)"
        case .newProperty(let model, let property, _):
            "add \(model).\(property.name), \(property.defaultValue.words) in the records that are there"
        case .becameUnique(let model, let property): "let no two records have the same \(model).\(property)"
        case .becameRepeatable(let model, let property): "let records have the same \(model).\(property)"
        case .becameOptional(let model, let property): "let \(model).\(property) be empty"
        case .choicesAdded(let model, let property, let choices):
            "add \(TextFormatter.list(choices)) to the choices of \(model).\(property)"
        case .choicesRemoved(let model, let property, let choices):
            "remove \(TextFormatter.list(choices)) from the choices of \(model).\(property) if no record holds it"
        case .choicesReordered(let model, let property): "put the choices of \(model).\(property) in another order"
        case .renamed(let model, let old, let new): "rename \(model).\(old) to \(model).\(new)"
        case .widened(let model, let property, let old, let new, _):
            "let \(model).\(property), which was \(old.name), be \(new.name)"
        case .dropped(let model, nil): "drop the model \(model) with all its records"
        case .dropped(let model, let property?): "drop \(model).\(property) with its values"
        case .converted(let old, let new):
            "make every \(old == new ? new : "\(old) a \(new)") anew, as the program's migration plan says"
        case .relation(let change): change.step
        case .embedded(let change): change.step
        case .missingModel, .missingProperty, .typeChanged, .becameMandatory, .unreadableLine: nil
        }
    }

    /// The reason for which the change is rejected, and what to do instead; nil when it is possible.
    package var refusal: String? {
        switch self {
        case .newProperty(let model, let property, .missing):
            "\(model).\(property.name) is new, and the records that are there have no value for it. "
                + "Give it a default, or make it optional."
        case .missingModel(let model):
            "The model \(model) is in the file and not in the program, and its records would be lost. Register it again with "
                + "ModelAdmin(\(model).self), or give the records up: migrate --drop \(model)."
        case .missingProperty(let model, let property, let new):
            "\(model).\(property) is in the file and not in the program, and its values would be lost. Declare it again"
                + (new.isEmpty
                    ? ""
                    : "; if \(new.joined(separator: " or ")) is its new name, declare that @Attribute(.originalName(\"\(property)\"))")
                + "; or give the values up: migrate --drop \(model).\(property)."
        case .typeChanged(let model, let property, let old, let new):
            "\(model).\(property) is \(old) in the file and \(new) in the program. Keep it as it was and add a new "
                + "property beside it, or write a migration plan that converts \(model)."
        case .becameMandatory(let model, let property):
            "\(model).\(property) may be empty in the file and not in the program. Keep it optional, and declare it "
                + "@Attribute(.required): then whoever edits a record has to give it a value; or write a migration plan that "
                + "converts \(model)."
        case .embedded(let change): change.refusal
        case .unreadableLine:
            "The file describes its models in a way that this program cannot read. Use the program that wrote it, or a newer one."
        case .newModel, .newProperty, .becameUnique, .becameRepeatable, .becameOptional, .choicesAdded,
            .choicesReordered, .choicesRemoved, .renamed, .widened, .dropped, .converted, .relation:
            nil
        }
    }
}

extension SchemaChange {
    /// The names that permit to drop the data that the change loses.
    var droppableNames: Set<String> {
        switch self {
        case .missingModel, .missingProperty, .dropped: [subject]
        case .relation(let change): change.droppableNames
        case .embedded(let change): change.droppableNames
        default: []
        }
    }
}

extension FieldValue {
    /// The words for a default value, which is a part of the program.
    fileprivate var words: String {
        switch self {
        case .null: "empty"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .blob: "bytes"
        }
    }
}
