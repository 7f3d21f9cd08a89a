extension ControlSequence {
  /// Whether this is `CSI 200 ~`, which starts a paste.
  func isPasteStart(final: UInt8) -> Bool {
    final == 0x7E && prefix == 0 && intermediate == 0 && parameter(0) == 200
  }

  /// Whether an intermediate byte nevertheless ends the sequence, as in rxvt's keys with Shift:
  /// `CSI 3 $`.
  func isComplete(by byte: UInt8) -> Bool {
    byte == 0x24 && prefix == 0 && intermediate == 0 && count == 1
      && Key(number: parameter(0)) != nil
  }

  /// Returns the meaning of the sequence given its final byte; `nil` if it has none for this
  /// program.
  func meaning(final: UInt8) -> DecodedInput? {
    switch (prefix, intermediate) {
    case (0, 0): return plain(final: final)
    case (0x3C, 0): return mouse(final: final).map { .event(.mouse($0)) }
    case (0x3F, 0), (0x3F, 0x24): return answer(final: final).map { .answer($0) }
    default: return nil
    }
  }

  /// Returns the key of an `SS3` sequence: the keypad in application mode, or F1 to F4.
  func applicationKey(final: UInt8) -> KeyPress? {
    let modifiers = Modifiers(reportParameter: parameter(0, or: 1))
    switch final {
    case 0x4D: return KeyPress(.enter, modifiers: modifiers)  // M
    case 0x6A...0x79:  // j … y: the keypad's * + , - . / 0 … 9
      return KeyPress(.character(Character(Unicode.Scalar(final - 0x40))), modifiers: modifiers)
    case 0x58: return KeyPress(.character("="), modifiers: modifiers)  // X
    case 0x61...0x64:  // a … d: rxvt's arrows with Control
      return Key(letter: final - 0x20).map { KeyPress($0, modifiers: .control) }
    default: return Key(letter: final).map { KeyPress($0, modifiers: modifiers) }
    }
  }

  // MARK: Without a prefix

  private func plain(final: UInt8) -> DecodedInput? {
    switch final {
    case 0x49: return .event(.focus(true))  // I
    case 0x4F: return .event(.focus(false))  // O
    case 0x74: return report()  // t
    default: return key(final: final).map { .event(.key($0)) }
    }
  }

  private func key(final: UInt8) -> KeyPress? {
    switch final {
    case 0x75:  // u: the kitty keyboard protocol
      guard let modifiers = modifiers(at: 1) else { return nil }
      var press = KeyPress(
        scalar: parameter(0, or: 1), shifted: subparameter(0, 1), standard: subparameter(0, 2),
        modifiers: modifiers)
      // The text that an input method or a dead key makes of it.
      if let text = Unicode.Scalar(UInt32(parameter(2))), text.value >= 0x20, text.value != 0x7F,
        modifiers.isDisjoint(with: [.control, .alt])
      {
        press = KeyPress(.character(Character(text)))
      }
      press?.setPosition(standard: subparameter(0, 2), isShifted: modifiers.contains(.shift))
      press?.isRepeat = subparameter(1, 1) == 2
      return press
    case 0x7E where parameter(0) == 27 && count >= 3:  // ~: modifyOtherKeys
      guard let modifiers = modifiers(at: 1) else { return nil }
      return KeyPress(scalar: parameter(2), modifiers: modifiers)
    case 0x7E:
      guard let key = Key(number: parameter(0)), let modifiers = modifiers(at: 1) else {
        return nil
      }
      return KeyPress(key, modifiers: modifiers)
    case 0x24, 0x5E, 0x40:  // $ ^ @: rxvt's Shift, Control, and both
      guard let key = Key(number: parameter(0)) else { return nil }
      let modifiers: Modifiers =
        final == 0x24 ? .shift : final == 0x5E ? .control : [.control, .shift]
      return KeyPress(key, modifiers: modifiers)
    case 0x61...0x64 where count == 0:  // a … d: rxvt's arrows with Shift
      return Key(letter: final - 0x20).map { KeyPress($0, modifiers: .shift) }
    case 0x5A:  // Z
      guard let modifiers = modifiers(at: 1) else { return nil }
      return KeyPress(.tab, modifiers: modifiers.union(.shift))
    case 0x52 where parameter(0, or: 1) != 1:
      // R with a row other than 1 is a cursor report, not F3.
      return nil
    default:
      guard let key = Key(letter: final), let modifiers = modifiers(at: 1) else { return nil }
      return KeyPress(key, modifiers: modifiers)
    }
  }

  /// Returns the modifiers in a parameter; `nil` if the key must not act because it was released,
  /// or held with Super, Hyper or Meta, which belong to the desktop.
  private func modifiers(at index: Int) -> Modifiers? {
    let report = parameter(index, or: 1)
    guard subparameter(index, 1, or: 1) != 3, max(0, report - 1) & 0b111000 == 0 else { return nil }
    return Modifiers(reportParameter: report)
  }

  /// Returns the meaning of a window report (`CSI … t`).
  private func report() -> DecodedInput? {
    let height = parameter(1)
    let width = parameter(2)
    guard height > 0, width > 0 else { return nil }
    switch parameter(0) {
    case 4: return .answer(.pixels(width: width, height: height))
    case 6: return .answer(.cellPixels(width: width, height: height))
    case 48: return .event(.resize(Size(columns: width, rows: height)))
    default: return nil
    }
  }

  // MARK: With a prefix

  /// Returns an SGR mouse report (modes 1006 and 1016). Its position is in cells or pixels,
  /// depending on the mode.
  private func mouse(final: UInt8) -> MouseEvent? {
    guard final == 0x4D || final == 0x6D, count >= 3 else { return nil }  // M or m
    let code = parameter(0)
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let position = Point(column: max(0, parameter(1) - 1), row: max(0, parameter(2) - 1))
    let button: MouseEvent.Button? =
      switch code & 3 {
      case 0: .left
      case 1: .middle
      case 2: .right
      default: nil
      }
    let kind: MouseEvent.Kind
    switch (code & 0b1110_0000, button) {
    case (0, let button?): kind = final == 0x4D ? .press(button) : .release(button)
    case (32, let button?): kind = .drag(button)
    case (32, nil): kind = .move
    case (64, .left?) where final == 0x4D: kind = .wheelUp
    case (64, .middle?) where final == 0x4D: kind = .wheelDown
    case (64, .right?) where final == 0x4D: kind = .wheelLeft
    case (64, nil) where final == 0x4D: kind = .wheelRight
    default: return nil
    }
    return MouseEvent(kind, at: position, modifiers: modifiers)
  }

  private func answer(final: UInt8) -> TerminalAnswer? {
    switch (final, intermediate) {
    case (0x63, 0):  // c
      return .deviceAttributes((0..<min(count, 16)).map { parameter($0) })
    case (0x79, 0x24) where count >= 2:  // $ y
      return .mode(parameter(0), setting: parameter(1))
    case (0x75, 0):  // u
      return .keyboard(flags: parameter(0))
    case (0x52, 0) where count >= 2:  // R
      return .cursor(Point(column: max(0, parameter(1) - 1), row: max(0, parameter(0) - 1)))
    case (0x6E, 0) where parameter(0) == 997 && (1...2).contains(parameter(1)):  // n
      return .appearance(isDark: parameter(1) == 1)
    default:
      return nil
    }
  }
}

extension Key {
  /// Creates the key for a letter at the end of `CSI` and `SS3` sequences.
  fileprivate init?(letter: UInt8) {
    switch letter {
    case 0x41: self = .up
    case 0x42: self = .down
    case 0x43: self = .right
    case 0x44: self = .left
    case 0x46: self = .end
    case 0x48: self = .home
    case 0x50...0x53: self = .function(Int(letter) - 0x4F)
    default: return nil
    }
  }

  /// Creates the key for a number before `~`.
  fileprivate init?(number: Int) {
    switch number {
    case 1, 7: self = .home
    case 2: self = .insert
    case 3: self = .delete
    case 4, 8: self = .end
    case 5: self = .pageUp
    case 6: self = .pageDown
    case 11...15: self = .function(number - 10)
    case 17...21: self = .function(number - 11)
    case 23...26: self = .function(number - 12)
    case 28, 29: self = .function(number - 13)
    case 31...34: self = .function(number - 14)
    default: return nil
    }
  }
}
