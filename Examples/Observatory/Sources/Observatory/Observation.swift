import Aviary
import Foundation

/// An exposure of a target with a telescope.
@Model
struct Observation {
    enum Passband: String, Choice { case ultraviolet = "U", blue = "B", visible = "V", red = "R" }

    // A telescope looks at one target at a time. These properties are the title of a record, too, such as "Refractor,
    // 3 May 2026, 22", because none of the model is a required text.
    #Unique<Observation>([\.telescope, \.night, \.hour])

    var telescope: Reference<Telescope>
    var target: Reference<Target>
    var night: CalendarDate
    @Attribute(.range(0..<24)) var hour: Int
    // Many-to-many: this side names the other. The store rejects an observation without an observer.
    @Relationship(minimumModelCount: 1, inverse: \Observer.observations) var observers: Related<Observer>
    var passband: Passband = .visible
    @Attribute(.range(1...3600)) var exposure: Int = 60
    // A value of several fields, which belongs to its record: stored as JSON, edited field by field.
    var weather: Weather?
    @Attribute(.fullText, .length(...4000)) var report: String = ""
    var isPublished: Bool = false

    func validate() -> [FieldProblem] {
        guard isPublished, report.isEmpty else { return [] }
        return [FieldProblem(\Observation.report, "Write the report before the observation is published.")]
    }
}

/// The weather during an observation.
@Embedded
struct Weather {
    enum Sky: String, Choice { case clear, hazy, cloudy }

    var sky: Sky = .clear
    /// The diameter of a star's image, in arc seconds.
    var seeing: Double?
    /// The temperature of the air, in degrees Celsius.
    var temperature: Double?
}

/// A telescope with its eyepieces.
@Model
struct Telescope {
    enum Mount: String, Choice { case equatorial, altazimuth, dobsonian }

    @Attribute(.unique, .required, .length(...80)) var name: String
    /// The diameter of the lens or mirror, in millimetres.
    @Attribute(.range(1...)) var aperture: Int
    var mount: Mount = .equatorial
    @Relationship(deleteRule: .cascade, inverse: \Eyepiece.telescope) var eyepieces: Related<Eyepiece>
    // A telescope that was used stays.
    @Relationship(deleteRule: .deny, inverse: \Observation.telescope) var observations: Related<Observation>
}

/// An eyepiece of a telescope. It goes when its telescope goes.
@Model
struct Eyepiece {
    #Unique<Eyepiece>([\.telescope, \.focalLength])

    var telescope: Reference<Telescope>
    /// The focal length, in millimetres.
    @Attribute(.range(2...100)) var focalLength: Int
}

/// An object in the sky.
@Model
struct Target {
    enum Kind: String, Choice { case planet, star, cluster, nebula, galaxy }

    @Attribute(.unique, .required, .length(...60)) var name: String
    var kind: Kind = .galaxy
    /// The angle above the celestial equator, in degrees.
    @Attribute(.range(-90...90)) var declination: Double?
    @Relationship(deleteRule: .deny, inverse: \Observation.target) var observations: Related<Observation>

    /// Returns the usual spelling of a catalogue number, "M 31" for "m31" and "M  31", and any other name as it is.
    static func spelling(of name: String) -> String {
        guard let parts = name.wholeMatch(of: /\s*([A-Za-z]{1,4})\s*([0-9]{1,6})\s*/) else { return name }
        return "\(parts.1.uppercased()) \(parts.2)"
    }
}

/// A person who observes, alone or with others.
@Model
struct Observer {
    @Attribute(.required, .length(...80)) var name: String
    @Attribute(.unique, .pattern("[A-Z]{3}", hint: "three capital letters, such as CHE")) var code: String?
    @Relationship var observations: Related<Observation>
}
