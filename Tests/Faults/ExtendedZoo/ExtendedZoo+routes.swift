import Aviary
import Metrics

extension ExtendedZoo {
    @RouteBuilder var routes: [Route] {
        Route.get("/greetings/{name}") { request in
            .text(
                "Hello, \(try request.parameter("name")), \(request.query("from") ?? "nobody") and \(request.queryValues("from").count)."
            )
        }
        Route.get("/animals/{id}") { request in
            let animals = try await request.store.repository(for: Animal.self)
            guard let animal = try await animals.find(try request.id("id")) else { return .notFound }
            return .text(animal.name)
        }
        Route.post("/animals") { request in
            let animals = try await request.store.repository(for: Animal.self)
            let animal = Animal(name: try request.decode([String: String].self)["name"] ?? "")
            try await animals.insert(animal)
            return .text("\(animal.id)", status: 201)
        }
        Route.get("/form") { request in .text(request.csrfToken) }
        Route.post("/form") { request in .text("\(request.user ?? "nobody"): \(request.form("food") ?? "nothing")") }
        Route.post("/orders") { request in try .json(try request.decode(Order.self).doubled, status: 201) }
        Route.delete("/orders/{number}") { _ in .noContent }
        Route.get("/elsewhere") { request in .seeOther(request.query("to") ?? "/admin") }
        Route.get("/counted") { _ in
            Counter(label: "zoo.visits", dimensions: [("gate", "north")]).increment()
            return .noContent
        }
        Route.get("/refused") { _ in throw RouteRefusal(status: 418, "No coffee here.") }
        Route.get("/broken") { _ in throw Broken(secret: "a secret value") }
        Route.get("/trap") { request in
            let numbers = [1, 2, 3]
            return .text("\(numbers[Int(request.query("index") ?? "") ?? numbers.count])")
        }
    }
}

private struct Order: Codable {
    let food: String
    let amount: Int

    var doubled: Order { Order(food: food, amount: amount * 2) }
}

private struct Broken: Error {
    let secret: String
}
