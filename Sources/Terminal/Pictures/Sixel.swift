/// Encodes pictures as sixels (DEC STD 070, chapter 9): bands of six rows, with one pass for each
/// colour.
struct Sixel {
  let pixels: PixelBuffer
  /// The colour behind transparent pixels.
  let ground: Pixel

  /// The size of the colour cube in each dimension: 216 colours, which fit into the 256 registers
  /// of terminals.
  private static let levels = 6

  /// The complete sequence.
  var bytes: [UInt8] {
    var output: [UInt8] = Array("\u{1B}P0;1;0q\"1;1;\(pixels.width);\(pixels.height)".utf8)
    let colors = registers()
    for register in Set(colors).sorted() { output += Self.definition(of: register) }
    for top in stride(from: 0, to: pixels.height, by: 6) {
      if top > 0 { output.append(UInt8(ascii: "-")) }
      appendBand(top: top, colors: colors, to: &output)
    }
    output += Array("\u{1B}\\".utf8)
    return output
  }

  /// Returns the colour register of each pixel.
  private func registers() -> [UInt8] {
    var registers: [UInt8] = []
    registers.reserveCapacity(pixels.width * pixels.height)
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        let pixel = pixels.pixel(x: x, y: y, on: ground) ?? ground
        let dithered = Dither.apply(pixel, x: x, y: y, step: 255 / (Self.levels - 1))
        let (red, green, blue) = (
          Self.level(dithered.red), Self.level(dithered.green), Self.level(dithered.blue)
        )
        registers.append(UInt8((red * Self.levels + green) * Self.levels + blue))
      }
    }
    return registers
  }

  private static func level(_ component: UInt8) -> Int {
    (Int(component) * (levels - 1) + 127) / 255
  }

  /// Returns the definition of a register, with components in per cent.
  private static func definition(of register: UInt8) -> [UInt8] {
    let (red, green, blue) = (
      Int(register) / (levels * levels), Int(register) / levels % levels, Int(register) % levels
    )
    let share = 100 / (levels - 1)
    return Array("#\(register);2;\(red * share);\(green * share);\(blue * share)".utf8)
  }

  private func appendBand(top: Int, colors: [UInt8], to output: inout [UInt8]) {
    let width = pixels.width
    var rows: [UInt8: [UInt8]] = [:]
    for y in top..<min(top + 6, pixels.height) {
      for x in 0..<width {
        rows[colors[y * width + x], default: [UInt8](repeating: 0, count: width)][x] |=
          1 << UInt8(y - top)
      }
    }
    for (index, (register, bits)) in rows.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { output.append(UInt8(ascii: "$")) }
      output += Array("#\(register)".utf8)
      appendRuns(of: bits, to: &output)
    }
  }

  /// Appends the sixels, six pixels per character, with runs encoded as `!n`.
  private func appendRuns(of bits: [UInt8], to output: inout [UInt8]) {
    var start = 0
    while start < bits.count {
      var end = start + 1
      while end < bits.count, bits[end] == bits[start] { end += 1 }
      let character = bits[start] + 0x3F
      if end - start > 3 {
        output += Array("!\(end - start)".utf8)
        output.append(character)
      } else {
        output += repeatElement(character, count: end - start)
      }
      start = end
    }
  }
}
