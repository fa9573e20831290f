import Testing

@Suite("@Embedded writes which property has which key in the JSON")
struct EmbeddedMacroTests {
    @Test("a stored property has its own name, and what is not stored has none")
    func names() {
        expectExpansion(
            of: """
                @Embedded
                public struct Address {
                    var city: String
                    let `case`, zone: Int
                    static let empty = Address()
                    var line: String { city }
                    lazy var words = city.split(separator: " ")
                }
                """,
            #"""
            public struct Address {
                var city: String
                let `case`, zone: Int
                static let empty = Address()
                var line: String { city }
                lazy var words = city.split(separator: " ")

                public static var embeddedProperties: [Aviary.EmbeddedProperty] {
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

    @Test("coding keys give other names, and leave properties out")
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

    @Test("nothing but a struct is embedded; a class gets a fix-it")
    func notAStruct() {
        let result = MacroDiagnostics(of: "@Embedded final class Address { var city = \"\" }")
        #expect(result.messages == ["1: @Embedded can only be attached to a struct"])
        #expect(result.fixes["use a struct"]?.contains("struct Address") == true)
    }

    @Test(
        "a struct that writes its JSON itself has keys that nobody knows",
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

    @Test("a coding key that is no plain text is not guessed")
    func calculatedKey() {
        let result = MacroDiagnostics(
            of:
                #"@Embedded struct Address { var city: String; enum CodingKeys: String, CodingKey { case city = "a\"b" } }"#
        )
        #expect(result.messages == ["1: the coding key of 'city' has to be a plain text for @Embedded to know it"])
    }
}
