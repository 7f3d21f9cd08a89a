/// The rules for text that a person enters about themselves or a contact (ONB-2).
///
/// Each function returns the text to store, or throws the error to show under the field.
public enum ProfileRules {
  /// Returns a trimmed name of 1–50 characters and at most 200 bytes, with at least one letter or
  /// digit: letters, marks and digits of any script, spaces, ``nameSigns`` and emoji. The wide signs
  /// and spaces of East Asian keyboards become narrow ones.
  public static func name(_ text: String) throws(ValidationError) -> String {
    // Counting is linear, so a pasted megabyte is refused by its bytes first.
    guard text.utf8.count <= 4_096 else { throw .nameLength(text.utf8.count) }
    let name = narrowed(text).trimmingWhitespace()
    if let character = name.first(where: { !isNameCharacter($0) }) {
      throw .nameCharacter(printable(character))
    }
    // A joiner shapes the letters on both sides of it.
    let scalars = Array(name.unicodeScalars)
    for (scalar, next) in zip(scalars, scalars.dropFirst() + [" "])
    where scalar.isLetterJoiner && next == " " {
      throw .nameCharacter(printable(Character(scalar)))
    }
    let count = name.count
    guard (1...50).contains(count) else { throw .nameLength(count) }
    guard name.utf8.count <= 200 else { throw .nameBytes }
    guard name.unicodeScalars.contains(where: \.isLetterOrDigit) else { throw .nameLetter }
    return name
  }

  /// The signs that a name can contain, such as in “Mum (mobile)” or “Ann & Bo, no. 4”.
  private static let nameSigns = Set("-'.,()&/+\u{2019}\u{2010}\u{00B7}\u{30FB}".unicodeScalars)

  /// Replaces wide signs and every kind of space.
  private static func narrowed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let narrow = Unicode.Scalar(scalar.value &- 0xFEE0)
      if scalar.properties.generalCategory == .spaceSeparator {
        scalars.append(" ")
      } else if (0xFF01...0xFF5E).contains(scalar.value), let narrow, nameSigns.contains(narrow) {
        scalars.append(narrow)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// Returns an E.164 number – `+` and at most 15 digits –, or `nil` for an empty text.
  ///
  /// See ``PhoneNumberParser`` for the forms it takes.
  public static func phone(_ text: String) throws(ValidationError) -> String? {
    guard text.utf8.count <= 400 else { throw .phone }
    let isEmpty = text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
    }
    return isEmpty ? nil : try PhoneNumberParser.number(text.trimmingWhitespace())
  }

  /// Returns a number as it is stored already, corrected if possible. A doubtful one that an older
  /// program took is kept, since losing it would be worse.
  public static func storedPhone(_ text: String?) throws(ValidationError) -> String? {
    guard let text else { return nil }
    do throws(ValidationError) { return try phone(text) } catch {
      let digits = text.dropFirst()
      guard text.hasPrefix("+"), (8...15).contains(digits.count), !digits.hasPrefix("0"),
        digits.allSatisfy({ $0.isASCII && $0.isNumber })
      else { throw error }
      return text
    }
  }

  /// Returns a trimmed note of up to 2,000 characters, with line breaks and tabs as the only
  /// control characters.
  public static func note(_ text: String) throws(ValidationError) -> String {
    try cleaned(text, limit: 2_000) { .noteLength($0) }
  }

  /// Returns a trimmed postal address of up to 200 characters, cleaned like a note.
  public static func address(_ text: String) throws(ValidationError) -> String {
    try cleaned(text, limit: 200) { .addressLength($0) }
  }

  /// Returns a trimmed text of up to 500 characters about how to get in, cleaned like a note.
  public static func access(_ text: String) throws(ValidationError) -> String {
    try cleaned(text, limit: 500) { .accessLength($0) }
  }

  /// The longest message of an alert, in characters.
  public static let alertMessageLimit = 500

  /// Returns an alert's message of up to ``alertMessageLimit`` characters, cleaned like a note.
  public static func alertMessage(_ text: String) throws(ValidationError) -> String {
    try cleaned(text, limit: alertMessageLimit) { .messageLength($0) }
  }

  /// Returns an alert's message from any text, cut if it is too long: a call for help must not be
  /// refused for its form.
  public static func shortenedAlertMessage(_ text: String) -> String {
    let beginning = String(text.unicodeScalars.prefix(16_000))
    if let message = try? alertMessage(beginning) { return message }
    return (try? alertMessage(String(beginning.prefix(alertMessageLimit)))) ?? ""
  }

  /// Returns an address of the form `local@domain` that is allowed in an SMTP envelope: at most 254
  /// bytes of ASCII without spaces, quotes, angle brackets or control characters (RFC 5321
  /// §4.5.3.1).
  public static func email(_ text: String) throws(ValidationError) -> String {
    let trimmed = text.trimmingWhitespace()
    guard trimmed.utf8.count <= 254 else { throw .email }
    if let letter = trimmed.first(where: { !$0.isASCII }), letter.isLetter {
      throw .emailLetter(String(letter))
    }
    let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { throw .email }
    let localAllowed = Set("!#$%&'*+/=?^_`{|}~.-".utf8)
    func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard parts[0].utf8.allSatisfy({ isWord($0) || localAllowed.contains($0) }),
      !parts[0].hasPrefix("."), !parts[0].hasSuffix("."), !parts[0].contains("..")
    else { throw .email }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.isEmpty,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
      })
    else { throw .email }
    return trimmed
  }

  /// Returns a question about an address that is valid but probably mistyped, or `nil`. It isn't
  /// refused, because machines on a home network have names without a dot.
  public static func doubt(aboutEmail address: String) -> String? {
    guard let at = address.lastIndex(of: "@") else { return nil }
    let domain = address[address.index(after: at)...]
    guard !domain.contains("."), domain.lowercased() != "localhost" else { return nil }
    return "“\(domain)” has no dot. Is \(address) right?"
  }

  private static func cleaned(
    _ text: String, limit: Int, error: (Int) -> ValidationError
  ) throws(ValidationError) -> String {
    guard text.utf8.count <= limit * 64 else { throw error(text.utf8.count) }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars
    where scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control {
      scalars.append(scalar)
    }
    let trimmed = String(scalars).trimmingWhitespace()
    let count = trimmed.count
    guard count <= limit else { throw error(count) }
    return trimmed
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    if character.isEmoji { return true }
    var before: Unicode.Scalar?
    return character.unicodeScalars.allSatisfy { scalar in
      defer { before = scalar }
      if scalar == " " || nameSigns.contains(scalar) { return true }
      if scalar.isLetterJoiner { return before?.usesJoiners == true }
      // Han characters have variants that are chosen by a mark.
      if (0xE0100...0xE01EF).contains(scalar.value) {
        return before?.properties.isIdeographic == true
      }
      guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
      return switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark: true
      default: scalar.isLetterOrDigit
      }
    }
  }

  /// Returns the character, or its code point if showing it would not be safe.
  static func printable(_ character: Character) -> String {
    let first = character.unicodeScalars.first!
    return first.isShown
      ? String(character).quotable : "U+" + String(first.value, radix: 16, uppercase: true)
  }
}

extension StringProtocol {
  /// Returns the text without white space at either end.
  public func trimmingWhitespace() -> String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOrDigit: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber:
      !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  fileprivate var isLetterJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }

  /// Whether the letter belongs to a script whose spelling needs joiners: Arabic, Syriac, and those
  /// of India and its neighbours.
  fileprivate var usesJoiners: Bool {
    switch value {
    case 0x0600...0x08FF, 0x0900...0x0DFF, 0x1000...0x109F, 0x1780...0x17FF: true
    default: false
    }
  }
}
