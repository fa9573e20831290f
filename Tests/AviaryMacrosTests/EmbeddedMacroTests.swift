import Testing

@Suite("Expansion of @Embedded")
struct EmbeddedMacroTests {
    @Test("Each stored property is listed under its name, and other members are not")
    func names() {
        expectExpansion(
            of: """
                @Embedded
                struct Address {
                    var city: String
                    let `case`, zone: Int
                    static let empty = Address()
                    var line: String { city }
                    lazy var words = city.split(separator: " ")
                }
                """,
            #"""
            struct Address {
                var city: String
                let `case`, zone: Int
                static let empty = Address()
                var line: String { city }
                lazy var words = city.split(separator: " ")

                static var embeddedProperties: [Aviary.EmbeddedProperty] {
                    [
                        Aviary.EmbeddedProperty(\Self.city, "city"),
                        Aviary.EmbeddedProperty(\Self.`case`, "case"),
                        Aviary.EmbeddedProperty(\Self.zone, "zone"),
                    ]
                }
            }

            extension Address: Aviary.Embedded {
            }
            """#)
    }

    @Test("a public struct has a public memberwise initializer", arguments: ["public", "package"])
    func publicInitializer(access: String) {
        expectExpansion(
            of: """
                @Embedded
                \(access) struct Weather {
                    var sky: String
                    var cover = 0.5
                    let `case`, zone: Int
                    var wind: Double?
                    let unit = "K"
                    static let calm = 0
                    var isClear: Bool { cover < 0.1 }
                }
                """,
            """
            \(access) struct Weather {
                var sky: String
                var cover = 0.5
                let `case`, zone: Int
                var wind: Double?
                let unit = "K"
                static let calm = 0
                var isClear: Bool { cover < 0.1 }

                \(access) init(sky: String, cover: Swift.Double = 0.5, `case`: Int, zone: Int, wind: Double? = nil) {
                    self.sky = sky
                    self.cover = cover
                    self.`case` = `case`
                    self.zone = zone
                    self.wind = wind
                }

                \(access) static var embeddedProperties: [Aviary.EmbeddedProperty] {
                    [
                        Aviary.EmbeddedProperty(\\Self.sky, "sky"),
                        Aviary.EmbeddedProperty(\\Self.cover, "cover", default: 0.5),
                        Aviary.EmbeddedProperty(\\Self.`case`, "case"),
                        Aviary.EmbeddedProperty(\\Self.zone, "zone"),
                        Aviary.EmbeddedProperty(\\Self.wind, "wind"),
                        Aviary.EmbeddedProperty(\\Self.unit, "unit", default: "K"),
                    ]
                }
            }

            extension Weather: Aviary.Embedded {
                \(access) init(from decoder: any Swift.Decoder) throws {
                    let values = try decoder.container(keyedBy: CodingKeys.self)
                    self.sky = try Aviary.EmbeddedProperty.value(of: .sky, in: values)
                    self.`case` = try Aviary.EmbeddedProperty.value(of: .`case`, in: values)
                    self.zone = try Aviary.EmbeddedProperty.value(of: .zone, in: values)
                    self.wind = try Aviary.EmbeddedProperty.value(of: .wind, in: values)
                    try Aviary.EmbeddedProperty.read(&self.cover, of: .cover, in: values)
                }
            }
            """)
    }

    @Test("a struct with an initializer of its own gets no other")
    func ownInitializer() {
        expectExpansion(
            of: """
                @Embedded
                public struct Weather {
                    var sky: String
                    public init() { sky = "" }
                }
                """,
            """
            public struct Weather {
                var sky: String
                public init() { sky = "" }

                public static var embeddedProperties: [Aviary.EmbeddedProperty] {
                    [
                        Aviary.EmbeddedProperty(\\Self.sky, "sky"),
                    ]
                }
            }

            extension Weather: Aviary.Embedded {
            }
            """)
    }

    @Test(
        "An initial value that is no literal needs a type; the fix-it leaves room for it", arguments: ["", "public "])
    func unknownType(access: String) {
        let result = MacroDiagnostics(of: "@Embedded \(access)struct Weather {\n    var sky = Sky.random()\n}")
        #expect(
            result.messages == [
                "2: 'sky' needs a type annotation: @Embedded cannot tell the type of its initial value"
            ])
        #expect(result.fixes["add a type annotation"]?.contains("var sky: <#Type#> = Sky.random()") == true)
        for value in ["1", "\"AT\"", "true"] {
            let literal = "@Embedded \(access)struct Weather {\n    var sky = \(value)\n    let unit = Unit.metre\n}"
            #expect(MacroDiagnostics(of: literal).messages.isEmpty)
        }
    }

    @Test("A property with an initial value keeps it where the JSON has none, under its coding key")
    func initialValues() {
        expectExpansion(
            of: """
                @Embedded
                struct Address {
                    var city: String
                    var country = "AT"
                    var notes: String? = nil
                    enum CodingKeys: String, CodingKey {
                        case city, country = "land", notes
                    }
                }
                """,
            #"""
            struct Address {
                var city: String
                var country = "AT"
                var notes: String? = nil
                enum CodingKeys: String, CodingKey {
                    case city, country = "land", notes
                }

                static var embeddedProperties: [Aviary.EmbeddedProperty] {
                    [
                        Aviary.EmbeddedProperty(\Self.city, "city"),
                        Aviary.EmbeddedProperty(\Self.country, "land", default: "AT"),
                        Aviary.EmbeddedProperty(\Self.notes, "notes", default: nil),
                    ]
                }
            }

            extension Address: Aviary.Embedded {
                init(from decoder: any Swift.Decoder) throws {
                    let values = try decoder.container(keyedBy: CodingKeys.self)
                    self.city = try Aviary.EmbeddedProperty.value(of: .city, in: values)
                    try Aviary.EmbeddedProperty.read(&self.country, of: .country, in: values)
                    try Aviary.EmbeddedProperty.read(&self.notes, of: .notes, in: values)
                }
            }
            """#)
    }

    @Test("Coding keys rename properties or omit them")
    func codingKeys() {
        expectExpansion(
            of: """
                @Embedded
                struct Address {
                    var city: String
                    var zone: Int
                    var distance = 0.0
                    enum CodingKeys: String, CodingKey {
                        case city = "town", zone
                    }
                }
                """,
            #"""
            struct Address {
                var city: String
                var zone: Int
                var distance = 0.0
                enum CodingKeys: String, CodingKey {
                    case city = "town", zone
                }

                static var embeddedProperties: [Aviary.EmbeddedProperty] {
                    [
                        Aviary.EmbeddedProperty(\Self.city, "town"),
                        Aviary.EmbeddedProperty(\Self.zone, "zone"),
                    ]
                }
            }

            extension Address: Aviary.Embedded {
            }
            """#)
    }

    @Test(
        "An attribute of a model's property is rejected, because it would have no effect",
        arguments: [
            ("@Attribute(.range(0...)) var length: Double", "check its value in the model's 'validate()'"),
            ("@Relationship var owner: String", "check its value in the model's 'validate()'"),
            ("@Transient var length = 1.0", "leave the property out of 'CodingKeys'"),
        ])
    func attributes(property: String, advice: String) {
        let name = property.prefix { !"( ".contains($0) }
        #expect(
            MacroDiagnostics(of: "@Embedded struct Box {\n    \(property)\n}").messages == [
                "2: \(name) has no effect on a property of an @Embedded struct; \(advice)"
            ])
    }

    @Test("A class is rejected, with a fix-it that makes it a struct")
    func notAStruct() {
        let result = MacroDiagnostics(of: "@Embedded final class Address { var city = \"\" }")
        #expect(result.messages == ["1: @Embedded can only be attached to a struct"])
        #expect(result.fixes["use a struct"]?.contains("struct Address") == true)
    }

    @Test(
        "A struct with custom coding is rejected",
        arguments: [
            "func encode(to encoder: any Encoder) throws {}", "init(from decoder: any Decoder) throws { city = \"\" }",
        ])
    func byHand(member: String) {
        let result = MacroDiagnostics(of: "@Embedded struct Address {\n    var city: String\n    \(member)\n}")
        let name = member.contains("encode") ? "encode(to:)" : "init(from:)"
        #expect(
            result.messages == [
                "1: '\(name)' decides about the JSON, which @Embedded cannot read; conform to Embedded and list 'embeddedProperties' yourself"
            ])
    }

    @Test("A coding key that is not a plain string literal is rejected")
    func calculatedKey() {
        let result = MacroDiagnostics(
            of:
                #"@Embedded struct Address { var city: String; enum CodingKeys: String, CodingKey { case city = "a\"b" } }"#
        )
        #expect(result.messages == ["1: the coding key of 'city' has to be a plain text for @Embedded to know it"])
    }
}
