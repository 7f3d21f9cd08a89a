extension Character {
  /// Whether the character is an emoji that Unicode recommends for general interchange, with nothing
  /// in it that the emoji doesn't need.
  ///
  /// Joined emoji are recognised by what is joined to the first one rather than by a list of all.
  var isEmoji: Bool {
    let scalars = Array(unicodeScalars)
    guard let first = scalars.first else { return false }
    if first.isRegionalIndicator {
      return scalars.count == 2 && scalars[1].isRegionalIndicator
    }
    if "0123456789#*".unicodeScalars.contains(first) {
      return scalars.dropFirst().map(\.value) == [0xFE0F, 0x20E3]
    }
    if scalars.count > 1, (0xE0020...0xE007F).contains(scalars[1].value) {
      return Self.flagsOfCountries.contains(String(self))
    }
    let elements = scalars.split(separator: "\u{200D}", omittingEmptySubsequences: false)
    // By itself, such a scalar is a sign in the text.
    if scalars.count == 1, !first.properties.isEmojiPresentation { return false }
    return elements.count <= 4
      && elements.enumerated().allSatisfy { index, element in
        Self.isElement(element) && (index == 0 || Self.joined.contains(element[element.startIndex]))
      }
  }

  /// Whether the scalars are one emoji with a skin tone or the mark that asks for colours.
  private static func isElement(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = scalars.first, first.properties.isEmoji, !first.isASCII else { return false }
    guard let second = scalars.dropFirst().first else { return true }
    guard scalars.count == 2 else { return false }
    return second == "\u{FE0F}"
      || second.properties.isEmojiModifier && first.properties.isEmojiModifierBase
  }

  /// England, Scotland and Wales.
  private static let flagsOfCountries: Set<String> = Set(
    ["gbeng", "gbsct", "gbwls"].map { country in
      var flag = String.UnicodeScalarView("\u{1F3F4}".unicodeScalars)
      for letter in country.unicodeScalars { flag.append(Unicode.Scalar(0xE0000 + letter.value)!) }
      flag.append("\u{E007F}")
      return String(flag)
    })

  /// What follows a joiner in Unicode's list of emoji: people, hair, professions and signs.
  private static let joined: Set<Unicode.Scalar> = Set(
    ("👨👩🧑👦👧🧒❤💋🤝🦰🦱🦲🦳♀♂⚕⚖⚧✈☠⬛🌈🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼💥🔥🔧🔬🗨🚀🚒🦯🦼🦽🦺"
      + "🩹🟩🟫🩰🐇💨💫🌫❄➡↔↕🐈🫯🦄").unicodeScalars.filter { $0 != "\u{FE0F}" })
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
