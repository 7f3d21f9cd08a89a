extension KeyPress {
  /// Creates the key for a byte below 0x80 in the traditional encoding; with `alt`, ESC came before
  /// it.
  init(byte: UInt8, alt: Bool) {
    let modifiers: Modifiers = alt ? .alt : []
    switch byte {
    case 0x00: self.init(.character(" "), modifiers: modifiers.union(.control))
    case 0x08, 0x7F: self.init(.backspace, modifiers: modifiers)
    case 0x09: self.init(.tab, modifiers: modifiers)
    case 0x0D: self.init(.enter, modifiers: modifiers)
    case 0x1B: self.init(.escape, modifiers: modifiers)
    case 0x01...0x1A:
      let letter = Character(Unicode.Scalar(byte + 0x60))
      self.init(.character(letter), modifiers: modifiers.union(.control))
    case 0x1C...0x1F:
      let sign = Character(Unicode.Scalar(byte + 0x40))
      self.init(.character(sign), modifiers: modifiers.union(.control))
    default:
      self.init(.character(Character(Unicode.Scalar(byte))), modifiers: modifiers)
    }
  }

  /// Creates the key for a scalar as reported by `CSI u` and modifyOtherKeys; `nil` for keys that
  /// no command uses (locks, media keys and the modifiers themselves).
  ///
  /// The key is named as in the traditional encoding: Shift is part of the character, except for
  /// letters with Control, which are lower case.
  /// - Parameters:
  ///   - scalar: The key without Shift.
  ///   - shifted: The key with Shift, or 0 if not reported.
  ///   - standard: The key at the same position in the standard PC layout, or 0 if not reported.
  ///     With Control or Alt it replaces a letter of another script, so that Ctrl-C works in every
  ///     layout.
  init?(scalar: Int, shifted: Int = 0, standard: Int = 0, modifiers: Modifiers) {
    var scalar = scalar
    var shifted = shifted
    if scalar >= 0x80, (0x21...0x7E).contains(standard),
      !modifiers.isDisjoint(with: [.control, .alt])
    {
      scalar = standard
      shifted = 0
    }
    if scalar == 0x5B, modifiers == .control {
      // Old terminals send the same byte for Ctrl-[ and Escape, and some users rely on it.
      self.init(.escape)
      return
    }
    if let key = Key(reportedScalar: scalar) {
      self.init(key, modifiers: modifiers)
      return
    }
    guard scalar >= 0x20, !(0x7F..<0xA0).contains(scalar), !(57344...63743).contains(scalar),
      let base = Unicode.Scalar(UInt32(scalar))
    else { return nil }
    guard modifiers.contains(.shift) else {
      self.init(.character(Character(base)), modifiers: modifiers)
      return
    }
    let isLetter = base.properties.isAlphabetic
    if modifiers.contains(.control), isLetter || shifted == 0 {
      let small = base.properties.lowercaseMapping
      self.init(
        .character(small.count == 1 ? Character(small) : Character(base)), modifiers: modifiers)
      return
    }
    let large: String
    if shifted >= 0x20, let scalar = Unicode.Scalar(UInt32(shifted)) {
      large = String(Character(scalar))
    } else {
      large = base.properties.uppercaseMapping
    }
    let character = large.count == 1 ? Character(large) : Character(base)
    self.init(.character(character), modifiers: modifiers.subtracting(.shift))
  }
}

extension Key {
  /// Creates the key for a special code in `CSI u` (functional key definitions of the kitty keyboard
  /// protocol).
  fileprivate init?(reportedScalar scalar: Int) {
    switch scalar {
    case 8, 127: self = .backspace
    case 9: self = .tab
    case 13, 57414: self = .enter
    case 27: self = .escape
    case 57376...57398: self = .function(scalar - 57376 + 13)
    case 57399...57408: self = .character(Character(Unicode.Scalar(UInt8(scalar - 57399 + 0x30))))
    case 57409: self = .character(".")
    case 57410: self = .character("/")
    case 57411: self = .character("*")
    case 57412: self = .character("-")
    case 57413: self = .character("+")
    case 57415: self = .character("=")
    case 57416: self = .character(",")
    case 57417: self = .left
    case 57418: self = .right
    case 57419: self = .up
    case 57420: self = .down
    case 57421: self = .pageUp
    case 57422: self = .pageDown
    case 57423: self = .home
    case 57424: self = .end
    case 57425: self = .insert
    case 57426: self = .delete
    default: return nil
    }
  }
}
