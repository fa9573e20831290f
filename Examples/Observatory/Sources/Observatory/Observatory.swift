import Aviary
import Foundation

/// The back office of an observatory: who observed what, when, with which telescope and under which sky.
struct Observatory: AviaryApp {
    /// Enters observations, and leaves their publication to others. It may view all that an observation refers to.
    static let student = Role(
        "student", .allow(.view, .add, .edit, on: Observation.self), .allow(.view, on: Telescope.self),
        .allow(.view, on: Target.self), .allow(.view, on: Observer.self), .readOnly(\Observation.isPublished))
    /// Sees what is observed, without the reports.
    static let guest = Role(
        "guest", .allow(.view, on: Observation.self), .allow(.view, on: Telescope.self), .allow(.view, on: Target.self),
        .hide(\Observation.report))

    var admin: some Admin {
        ModelAdmin(Observation.self)
            .columns(\.night, \.hour, \.telescope, \.target, \.observers)
            .column("Sky") { observation in observation.weather?.sky.rawValue ?? "" }
            .filters(\.telescope, \.target, \.night, \.isPublished)
            .ordering(\.night, order: .reverse)
            .section("Exposure", \.passband, \.exposure)
            .section("Report", \.weather, \.report, \.isPublished)
            .help(\.exposure, "In seconds.")
            .action("Publish") { $0.isPublished = true }
        ModelAdmin(Target.self).columns(\.name, \.kind, \.declination).search(\.name).filters(\.kind)
        ModelAdmin(Telescope.self)
            .columns(\.name, \.mount, \.aperture)
            .format(\.aperture) { "\($0) mm" }
            .inline(\.eyepieces, \.focalLength)
        ModelAdmin(Eyepiece.self).columns(\.focalLength, \.telescope)
        ModelAdmin(Observer.self).columns(\.name, \.code)
    }

    var roles: [Role] { [Self.student, Self.guest] }

    var routes: [Route] { NightPage.route }

    var saveHooks: [SaveHook] {
        // Before the check that names are unique: nobody adds M 31 a second time by writing m31.
        SaveHook.before(Target.self) { target, _ in target.name = Target.spelling(of: target.name) }
    }

    /// The records with which `serve --demo` begins. Some are linked, so they are changes.
    var sampleChanges: [Change] {
        let refractor = Telescope(name: "Refractor", aperture: 150)
        let dobson = Telescope(name: "Dobson", aperture: 400, mount: .dobsonian)
        let andromeda = Target(name: "M 31", declination: 41.27)
        let crab = Target(name: "M 1", kind: .nebula, declination: 22.01)
        let caroline = Observer(name: "Caroline Herschel", code: "CHE")
        let charles = Observer(name: "Charles Messier", code: "MES")
        let first = Observation(
            telescope: Reference(refractor), target: Reference(andromeda), night: .today, hour: 22,
            weather: Weather(sky: .clear, seeing: 1.4, temperature: -3),
            report: "The dust lanes are easy tonight.", isPublished: true)
        let second = Observation(
            telescope: Reference(dobson), target: Reference(crab), night: .today, hour: 23, passband: .red,
            weather: Weather(sky: .hazy), report: "")
        return [
            .insert(refractor), .insert(dobson), .insert(andromeda), .insert(crab), .insert(caroline), .insert(charles),
            .insert(Eyepiece(telescope: Reference(refractor), focalLength: 25)),
            .insert(Eyepiece(telescope: Reference(refractor), focalLength: 10)),
            .insert(first), .link(first, \.observers, caroline), .link(first, \.observers, charles),
            .insert(second), .link(second, \.observers, charles),
        ]
    }
}
