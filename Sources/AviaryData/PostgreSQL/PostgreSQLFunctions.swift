import AviaryDomain
import Foundation

/// The functions that a store adds to its schema, because the server has none with the same result.
enum PostgreSQLFunctions {
    static let fold = "aviary_fold"
    static let number = "aviary_number"
    static let failure = "aviary_failure"
    static let jsonText = "aviary_json_text"
    static let jsonInteger = "aviary_json_integer"
    static let jsonElement = "aviary_json_element"
    /// The operators of an index of trigrams, which the connection finds in the schema of the extension.
    static let trigramOperators = "gin_trgm_ops"
    static let trigramExtension = "pg_trgm"
    static let trigramCreation = "CREATE EXTENSION IF NOT EXISTS \(trigramExtension) SCHEMA public"

    static let all = [folding, numbers] + failures + json

    // A calculation of Swift that has no result is not a number. The server calculates with that.
    private static let numbers = function(
        number, "value double precision", returns: "double precision",
        """
        BEGIN IF value = 'NaN' THEN RAISE EXCEPTION 'the calculation has no result' USING ERRCODE = '22003'; END IF; \
        RETURN value; END
        """)

    // The planner calls a function that is not volatile, with values that it knows, also where a condition excludes the call.
    private static let failures = ["bigint", "double precision", "text"].map { type in
        function(
            failure, "value \(type)", returns: type,
            "BEGIN RAISE EXCEPTION 'the calculation has no result' USING ERRCODE = '22003'; END", isStrict: false,
            isVolatile: true)
    }

    private static let json = [
        function(jsonText, "json text, path text", returns: "text", "BEGIN RETURN json::jsonb #>> path::text[]; END"),
        function(
            jsonInteger, "json text, path text", returns: "bigint",
            """
            DECLARE part jsonb := json::jsonb #> path::text[]; BEGIN RETURN CASE jsonb_typeof(part) \
            WHEN 'boolean' THEN (part::boolean)::integer WHEN 'number' THEN part::bigint END; END
            """),
        function(
            jsonElement, "value bigint, json text", returns: "boolean",
            "BEGIN RETURN json::jsonb @> to_jsonb(value) OR json::jsonb @> to_jsonb(value <> 0) AND value IN (0, 1); END"
        ),
        function(
            jsonElement, "value text, json text", returns: "boolean",
            "BEGIN RETURN json::jsonb @> to_jsonb(value); END"),
    ]

    private static func function(
        _ name: String, _ parameters: String, returns type: String, _ body: String, isStrict: Bool = true,
        isVolatile: Bool = false
    ) -> String {
        "CREATE OR REPLACE FUNCTION \(name)(\(parameters)) RETURNS \(type) LANGUAGE plpgsql \(isVolatile ? "VOLATILE" : "IMMUTABLE") "
            + "PARALLEL SAFE \(isStrict ? "STRICT " : "")AS $$ \(body) $$"
    }
}

// The function that folds a text as `String.folded` does. It is generated from that: the server decomposes the text, and
// replaces each scalar whose folded form is another one.
extension PostgreSQLFunctions {
    private struct Folding {
        var from = String.UnicodeScalarView()
        var to = String.UnicodeScalarView()
        /// The scalars that are left out.
        var removed = String.UnicodeScalarView()
        /// The scalars that become several.
        var expanded: [(from: String, to: String)] = []

        init() {
            for number in UInt32(0x80)...0x10FFFF {
                // The scalars of private use and the unassigned planes fold to themselves.
                guard let scalar = Unicode.Scalar(number),
                    number < 0x20000 || number > 0xFFFFF || number & 0xFFFF >= 0xFFFE
                else { continue }
                let text = String(scalar)
                // The server has decomposed the text before.
                guard text.decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar]) else { continue }
                let folded = text.folded
                if folded.unicodeScalars.elementsEqual([scalar]) { continue }
                switch folded.unicodeScalars.count {
                case 0: removed.append(scalar)
                case 1:
                    from.append(scalar)
                    to.append(contentsOf: folded.unicodeScalars)
                default: expanded.append((text, folded))
                }
            }
            for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") {
                from.append(Unicode.Scalar(byte))
                to.append(Unicode.Scalar(byte | 0x20))
            }
        }
    }

    static let folding: String = {
        let map = Folding()
        var expression = "normalize(value, NFD)"
        // A regular expression finds out at once that a text has none of the scalars that become several.
        let several = PostgreSQLDialect.literal("[" + map.expanded.map(\.from).joined() + "]")
        for (from, to) in map.expanded {
            expression = "replace(\(expression), \(PostgreSQLDialect.literal(from)), \(PostgreSQLDialect.literal(to)))"
        }
        let from = PostgreSQLDialect.literal(String(map.from) + String(map.removed))
        let to = PostgreSQLDialect.literal(String(map.to))
        return function(
            fold, "value text", returns: "text",
            """
            BEGIN IF octet_length(value) = char_length(value) THEN RETURN lower(value COLLATE "C"); END IF; \
            value := CASE WHEN normalize(value, NFD) ~ \(several) THEN \(expression) ELSE normalize(value, NFD) END; \
            RETURN translate(value, \(from), \(to)); END
            """)
    }()
}
