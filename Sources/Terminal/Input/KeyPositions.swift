/// What a key may have been meant for if its own character does nothing.
///
/// Keys are keys, not letters: a person whose keyboard is set to another script, or whose input
/// method or Caps Lock is on, presses the key that they know. The terminal tells its position where
/// it can (kitty's alternate keys); elsewhere a table of positions is used.
extension KeyPress {
  /// The keys that may have been meant, the likeliest first.
  package var alternatives: [KeyPress] {
    guard case .character(let character) = key else { return [] }
    var characters = position.map { [$0] } ?? []
    characters += KeyPositions.meanings(of: character)
    var known: Set<Character> = [character]
    return characters.compactMap { character in
      known.insert(character).inserted ? KeyPress(.character(character), modifiers: modifiers) : nil
    }
  }

  /// The letter, digit or sign that was meant, for views that read keys themselves: the character
  /// itself if it is an ASCII one.
  package var meantCharacter: Character? {
    guard let text else { return nil }
    if text.isASCII { return text }
    return alternatives.lazy.compactMap(\.text).first(where: \.isASCII)
  }

  /// Notes the position that the terminal reports, unless the character is a Latin letter: the
  /// letter printed on a key is the one that was meant.
  mutating func setPosition(standard code: Int, isShifted: Bool) {
    guard (0x21...0x7E).contains(code), case .character(let character) = key else { return }
    let plain = Character(Unicode.Scalar(UInt8(code)))
    let isDigitRow = plain.isNumber && !character.isLetter && !character.isNumber
    guard !character.isASCII || isDigitRow else { return }
    // A digit row that needs Shift for its digits, as on French keyboards, has other signs.
    position = isShifted ? KeyPositions.shifted(plain) : plain
  }
}

enum KeyPositions {
  /// Returns the characters of the standard layout that a character may stand for.
  static func meanings(of character: Character) -> [Character] {
    var meanings: [Character] = []
    if let sign = signs[character] { meanings.append(sign) }
    if let narrow = character.narrow {
      meanings.append(narrow)
      if narrow.isUppercase { meanings += narrow.lowercased() }
      return meanings
    }
    if let digit = character.wholeNumberValue, (0...9).contains(digit), !character.isASCII {
      meanings.append(Character(Unicode.Scalar(UInt8(0x30 + digit))))
    }
    let small = character.lowercased().first ?? character
    meanings += [table[small], accents[small]].compactMap(\.self)
    return meanings
  }

  /// Returns the character that Shift makes of one on the standard keyboard.
  static func shifted(_ character: Character) -> Character {
    let plain = Array("`1234567890-=[]\\;',./")
    let shifted = Array("~!@#$%^&*()_+{}|:\"<>?")
    return plain.firstIndex(of: character).map { shifted[$0] }
      ?? character.uppercased().first ?? character
  }

  /// Signs of other scripts for those of commands.
  private static let signs: [Character: Character] = [
    "﹗": "!", "︕": "!", "¡": "!", "՜": "!", "ऍ": "!", "؟": "?", "¿": "?", "、": "/", "。": ".",
    "：": ":", "︓": ":", "Ж": ":",
  ]

  /// The characters of other layouts by their position. Where two layouts have a letter in
  /// different places, the more widely used one counts; a letter counts before a sign.
  private static let table: [Character: Character] = {
    let layouts: [(keys: String, characters: String)] = [
      // Russian, with the letters of Ukrainian, Serbian and Macedonian that it lacks.
      ("qwertyuiop[]asdfghjkl;'zxcvbnm,.", "йцукенгшщзхъфывапролджэячсмитьбю"),
      ("s]'qwjx['", "іїєљњјџђћ"),
      // Greek.
      ("wertyuiopasdfghjklzxcvbnm", "ςερτυθιοπασδφγηξκλζχψωβνμ"),
      // Hebrew.
      ("ertyuiopasdfghjkl;zxcvbnm,.", "קראטוןםפשדגכעיחלךףזסבהנמצתץ"),
      // Persian, then Arabic.
      ("qwertyuiop[]asdfghjkl;'zxcvbnm,", "ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو"),
      ("d;'zxcvnm.", "يكطئءؤرىةز"),
      // Korean (two-set), with Shift too.
      ("qwertyuiopasdfghjklzxcvbnm", "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ"),
      ("qwertop", "ㅃㅉㄸㄲㅆㅒㅖ"),
      // Bopomofo.
      ("qwertyuiopasdfghjklzxcvbnm15", "ㄆㄊㄍㄐㄔㄗㄧㄛㄟㄣㄇㄋㄎㄑㄕㄘㄨㄜㄠㄈㄌㄏㄒㄖㄙㄩㄅㄓ"),
      // Georgian.
      ("qwertyuiopasdfghjklzxcvbnm", "ქწერტყუიოპასდფგჰჯკლზხცვბნმ"),
      // Thai (Kedmanee) and Hindi (InScript), without the signs that combine.
      ("qwrioplkasdfgzxcvm145", "ๆไพรนยสาฟหกดเผปแอทๅภถ"),
      ("yuiophjklcvbnm", "बहगदजपरकतमनवलस"),
      // The digit rows of French and Czech keyboards, which need Shift for the digits.
      ("123457890", "&é\"'(è_çà"), ("23456789", "ěščřžýáí"),
    ]
    var table: [Character: Character] = [:]
    for (keys, characters) in layouts {
      for (key, character) in zip(keys, characters) where table[character] == nil {
        table[character] = key
      }
    }
    return table
  }()
}

extension KeyPositions {
  /// The letters on which dead keys put accents.
  private static let accents: [Character: Character] = {
    let letters: [(base: Character, accented: String)] = [
      ("a", "àáâãäåāăąǎ"), ("c", "çćĉċč"), ("d", "ďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
      ("h", "ĥħ"), ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľł"), ("m", "ḿ"),
      ("n", "ñńņňǹ"), ("o", "òóôõöøōŏő"), ("p", "ṕ"), ("r", "ŕŗř"), ("s", "śŝşš"), ("t", "ţť"),
      ("u", "ùúûüũūŭůűų"), ("v", "ṽ"), ("w", "ŵ"), ("x", "ẍ"), ("y", "ýÿŷ"), ("z", "źżž"),
      // Greek vowels, by their position.
      ("a", "ά"), ("e", "έ"), ("h", "ή"), ("i", "ίϊΐ"), ("o", "ό"), ("y", "ύϋΰ"), ("v", "ώ"),
    ]
    var table: [Character: Character] = [:]
    for (base, accented) in letters {
      for character in accented { table[character] = base }
    }
    return table
  }()
}

extension Character {
  /// The ASCII character of a full-width one, or a small letter of a capital one.
  fileprivate var narrow: Character? {
    guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return nil }
    switch scalar.value {
    case 0xFF01...0xFF5E: return Character(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
    case 0x3000: return " "
    case 0x41...0x5A: return lowercased().first
    default: return nil
    }
  }
}
