extension InMemoryTerminal {
  /// Applies an `SGR` sequence, with both notations for colours (`38;5;n` and `38:5:n`).
  mutating func applyRendition(_ parameters: [[Int?]]) {
    var rest = (parameters.isEmpty ? [[0]] : parameters)[...]
    while let parameter = rest.popFirst() {
      let code = parameter[0] ?? 0
      switch code {
      case 0:
        let hyperlink = style.hyperlink
        style = CellStyle()
        style.hyperlink = hyperlink
      case 1: style.isBold = true
      case 2: style.isDim = true
      case 3: style.isItalic = true
      case 4:
        let shape = parameter.count > 1 ? parameter[1] ?? 0 : 1
        style.underline = CellStyle.Underline(rawValue: UInt8(clamping: shape)) ?? .single
      case 5: style.isBlinking = true
      case 7: style.isReversed = true
      case 8: style.isHidden = true
      case 9: style.isStruck = true
      case 21: style.underline = .double
      case 22:
        style.isBold = false
        style.isDim = false
      case 23: style.isItalic = false
      case 24: style.underline = .none
      case 25: style.isBlinking = false
      case 27: style.isReversed = false
      case 28: style.isHidden = false
      case 29: style.isStruck = false
      case 30...37: style.foreground = .palette(UInt8(code - 30))
      case 39: style.foreground = .standard
      case 40...47: style.background = .palette(UInt8(code - 40))
      case 49: style.background = .standard
      case 59: style.underlineColor = .standard
      case 90...97: style.foreground = .palette(UInt8(code - 90 + 8))
      case 100...107: style.background = .palette(UInt8(code - 100 + 8))
      case 38, 48, 58:
        guard let color = color(parameter, &rest) else {
          unknown.append("SGR \(code)")
          return
        }
        if code == 38 { style.foreground = color }
        if code == 48 { style.background = color }
        if code == 58 { style.underlineColor = color }
      default: unknown.append("SGR \(code)")
      }
    }
  }

  private func color(_ parameter: [Int?], _ rest: inout ArraySlice<[Int?]>) -> CellStyle.Color? {
    var values: [Int]
    if parameter.count > 1 {
      values = parameter.dropFirst().map { $0 ?? 0 }
      // `38:2::r:g:b` has a colour space before the components; `38:2:r:g:b` doesn't.
      if values.first == 2, values.count == 5 { values.remove(at: 1) }
    } else {
      guard let kind = rest.popFirst()?[0] else { return nil }
      values = [kind]
      for _ in 0..<(kind == 2 ? 3 : 1) { values.append(rest.popFirst()?[0] ?? 0) }
    }
    guard values.allSatisfy({ (0...255).contains($0) }) else { return nil }
    switch (values.first, values.count) {
    case (5, 2): return .palette(UInt8(values[1]))
    case (2, 4): return .rgb(UInt8(values[1]), UInt8(values[2]), UInt8(values[3]))
    default: return nil
    }
  }
}
