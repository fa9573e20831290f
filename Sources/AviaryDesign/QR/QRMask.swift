/// Which modules are inverted, so that no large areas or false finders arise (section 7.8.2).
enum QRMask: Int, CaseIterable {
    case checkerboard, rows, columns, diagonals, bricks, crosses, flowers, weave

    func inverts(_ x: Int, _ y: Int) -> Bool {
        switch self {
        case .checkerboard: (x + y) % 2 == 0
        case .rows: y % 2 == 0
        case .columns: x % 3 == 0
        case .diagonals: (x + y) % 3 == 0
        case .bricks: (x / 3 + y / 2) % 2 == 0
        case .crosses: x * y % 2 + x * y % 3 == 0
        case .flowers: (x * y % 2 + x * y % 3) % 2 == 0
        case .weave: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}

extension QRCode {
    /// How hard it is to read (section 7.8.3): long runs, blocks, what looks like a finder, more of one colour.
    var penalty: Int {
        var penalty = 0
        for line in 0..<size {
            penalty += Self.penalty((0..<size).map { isDark($0, line) })
            penalty += Self.penalty((0..<size).map { isDark(line, $0) })
        }
        var darkCount = 0
        for y in 0..<size {
            for x in 0..<size {
                let dark = isDark(x, y)
                if dark { darkCount += 1 }
                guard x + 1 < size, y + 1 < size else { continue }
                if isDark(x + 1, y) == dark, isDark(x, y + 1) == dark, isDark(x + 1, y + 1) == dark { penalty += 3 }
            }
        }
        return penalty + abs(darkCount * 20 - size * size * 10) / (size * size) * 10
    }

    private static let finder = [true, false, true, true, true, false, true]
    private static let light = [false, false, false, false]

    private static func penalty(_ line: [Bool]) -> Int {
        var penalty = 0, run = 0
        var previous: Bool?
        for dark in line {
            run = dark == previous ? run + 1 : 1
            previous = dark
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        for start in line.indices.dropLast(10) {
            let part = line[start..<(start + 11)]
            if part.elementsEqual(finder + light) || part.elementsEqual(light + finder) { penalty += 40 }
        }
        return penalty
    }
}
