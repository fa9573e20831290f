/// A QR code (ISO/IEC 18004) of a text, in byte mode with error correction level M, which recovers 15 % of damage.
///
/// ```swift
/// html.render(QRPicture(QRCode("otpauth://totp/Zoo:ada?secret=…")))
/// ```
package struct QRCode: Sendable, Hashable {
    /// The number of modules per side, without the quiet zone.
    package let size: Int
    private var modules: [Bool]
    /// Flags for the modules of the function patterns, which do not depend on the data.
    private var fixed: [Bool]

    /// Creates the code of a text; nil for a text of more than 666 bytes, whose code a phone cannot read reliably.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion(holding: bytes.count) else { return nil }
        size = version.size
        modules = Array(repeating: false, count: size * size)
        fixed = modules
        drawPatterns(version)
        draw(version.codewords(of: bytes))
        var best = self
        var lowest = Int.max
        for mask in QRMask.allCases {
            var candidate = self
            candidate.apply(mask)
            let penalty = candidate.penalty
            if penalty < lowest { (best, lowest) = (candidate, penalty) }
        }
        (modules, fixed) = (best.modules, best.fixed)
    }

    /// Returns whether a module is dark. Modules outside the code are light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        modules[y * size + x] = isDark
        fixed[y * size + x] = true
    }

    private mutating func drawPatterns(_ version: QRVersion) {
        for index in 0..<size {
            fix(6, index, index.isMultiple(of: 2))
            fix(index, 6, index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let positions = version.alignmentPositions
        for x in positions {
            for y in positions where !isFinder(x, y) { drawAlignment(x, y) }
        }
        drawFormat(.checkerboard)
        drawVersion(version)
    }

    private func isFinder(_ x: Int, _ y: Int) -> Bool {
        (x == 6 && y == 6) || (x == 6 && y == size - 7) || (x == size - 7 && y == 6)
    }

    /// Draws a finder pattern with its light separator.
    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                let distance = max(abs(dx), abs(dy))
                fix(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    /// Draws level and mask twice, protected by ten bits of error correction (section 7.9).
    private mutating func drawFormat(_ mask: QRMask) {
        // The bits of level M are 00.
        let data = mask.rawValue
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(8, index, bit(index)) }
        fix(8, 7, bit(6))
        fix(8, 8, bit(7))
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
        fix(8, size - 8, true)
    }

    /// Draws the version twice, protected by twelve bits of error correction (section 7.10). Versions below 7 do
    /// not have it.
    private mutating func drawVersion(_ version: QRVersion) {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version.number << 12 | rest
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (a, b) = (size - 11 + index % 3, index / 3)
            fix(a, b, isDark)
            fix(b, a, isDark)
        }
    }

    /// Draws the codewords in columns of two modules, alternately upwards and downwards, from the right. The column
    /// of the timing pattern is skipped.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        for start in stride(from: size - 1, through: 1, by: -2) {
            let right = start <= 6 ? start - 1 : start
            for step in 0..<size {
                for x in [right, right - 1] {
                    let y = (right + 1) & 2 == 0 ? size - 1 - step : step
                    guard !fixed[y * size + x], index < codewords.count * 8 else { continue }
                    modules[y * size + x] = codewords[index >> 3] >> (7 - index & 7) & 1 == 1
                    index += 1
                }
            }
        }
    }

    private mutating func apply(_ mask: QRMask) {
        drawFormat(mask)
        for y in 0..<size {
            for x in 0..<size where !fixed[y * size + x] && mask.inverts(x, y) { modules[y * size + x].toggle() }
        }
    }
}

/// A mask that inverts modules to avoid large areas and false finder patterns (section 7.8.2).
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
    /// The penalty for features that make the code hard to read (section 7.8.3): long runs, blocks, finder-like
    /// patterns, an excess of one colour.
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

/// A drawing of a QR code. Screen readers skip it, because the text of the code is displayed beside it.
package struct QRPicture: Sendable, Component {
    let code: QRCode

    package init(_ code: QRCode) {
        self.code = code
    }

    /// The width of the light border in modules, which readers require.
    private static let quietZone = 4

    package func render(into html: inout HTML) {
        let side = code.size + 2 * Self.quietZone
        html.literal(#"<svg class="qr" viewBox="0 0 "#)
        html.text(side)
        html.literal(" ")
        html.text(side)
        html.literal(#"" shape-rendering="crispEdges" aria-hidden="true"><path d=""#)
        for y in 0..<code.size { row(y, into: &html) }
        html.literal(#""/></svg>"#)
    }

    /// Writes a row. Adjacent dark modules form one rectangle.
    private func row(_ y: Int, into html: inout HTML) {
        var x = 0
        while x < code.size {
            let start = x
            while code.isDark(x, y) { x += 1 }
            if x > start {
                html.literal("M")
                html.text(start + Self.quietZone)
                html.literal(" ")
                html.text(y + Self.quietZone)
                html.literal("h")
                html.text(x - start)
                html.literal("v1H")
                html.text(start + Self.quietZone)
                html.literal("z")
            }
            x += 1
        }
    }
}
