/// A colour of text or of its background.
public struct Color: Hashable, Sendable {
  /// Which colours there are; the components sit beside it in `packed`.
  enum Kind: UInt32 {
    case standard = 0
    case palette = 1
    case rgb = 2
  }

  /// The kind in the top byte, the palette index or the components below: four bytes, so that a
  /// style is compared and hashed quickly.
  let packed: UInt32

  private init(kind: Kind, value: UInt32) {
    packed = kind.rawValue << 24 | value
  }

  /// The terminal's own foreground or background.
  public static let standard = Color(kind: .standard, value: 0)

  /// An entry of the terminal's palette. Entries 0 to 15 are the person's own colours.
  public static func palette(_ index: UInt8) -> Color {
    Color(kind: .palette, value: UInt32(index))
  }

  /// A colour by its components, 0 to 255.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(kind: .rgb, value: UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// A colour as web pages write it: `0xE5C07B`.
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
  /// The components, or `nil` for the terminal's own colour, which is not known here. Entries 0
  /// to 15 of the palette count with xterm's values.
  public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    switch kind {
    case .standard: return nil
    case .rgb: return (red, green, blue)
    case .palette: return Palette.components(of: paletteIndex)
    }
  }
}
