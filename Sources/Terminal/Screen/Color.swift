/// A text or background colour.
public struct Color: Hashable, Sendable {
  /// The kind of colour, stored in the top byte of `packed`.
  enum Kind: UInt32 {
    case standard = 0
    case palette = 1
    case rgb = 2
  }

  /// The kind in the top byte, and the palette index or RGB components below. Four bytes make
  /// styles quick to compare and hash.
  let packed: UInt32

  private init(kind: Kind, value: UInt32) {
    packed = kind.rawValue << 24 | value
  }

  /// The terminal's default foreground or background.
  public static let standard = Color(kind: .standard, value: 0)

  /// Returns an entry of the terminal's palette. Users choose entries 0 to 15 themselves.
  public static func palette(_ index: UInt8) -> Color {
    Color(kind: .palette, value: UInt32(index))
  }

  /// Returns a colour by its components, 0 to 255.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(kind: .rgb, value: UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Returns a colour from its hexadecimal notation: `0xE5C07B`.
  public static func hex(_ value: UInt32) -> Color {
    Color(kind: .rgb, value: value & 0xFF_FFFF)
  }

  var kind: Kind { Kind(rawValue: packed >> 24) ?? .standard }
  var paletteIndex: UInt8 { UInt8(truncatingIfNeeded: packed) }
  var red: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) }
  var green: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) }
  var blue: UInt8 { UInt8(truncatingIfNeeded: packed) }
}

extension Color {
  /// The colour's components, or `nil` for the terminal's default, which is unknown. Palette
  /// entries 0 to 15 are assumed to have xterm's values.
  public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    switch kind {
    case .standard: return nil
    case .rgb: return (red, green, blue)
    case .palette: return Palette.components(of: paletteIndex)
    }
  }
}
