import AviaryDomain

extension SaveRefusal: ActionRefusal {
    package var reason: String { message.translated }
}
