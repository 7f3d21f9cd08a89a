/// The rules for text that a person enters about themselves or a contact (ONB-2).
///
/// Each function returns the text to store, or throws the error to show under the field.
public enum ProfileRules {
  /// Returns a trimmed name of 1–50 characters: letters and marks of any script, spaces, hyphens,
  /// apostrophes and periods. The wide space of East Asian keyboards becomes a space.
  public static func name(_ text: String) throws(ValidationError) -> String {
    let trimmed = text.trimmingWhitespace().replacing("\u{3000}", with: " ")
    // Counting is linear, so a pasted megabyte is refused by its bytes first.
    guard trimmed.utf8.count <= 4_096 else { throw .nameLength(trimmed.utf8.count) }
    if let character = trimmed.first(where: { !isNameCharacter($0) }) {
      throw .nameCharacter(printable(character))
    }
    let count = trimmed.count
    guard (1...50).contains(count) else { throw .nameLength(count) }
    return trimmed
  }

  /// Returns an E.164 number – `+` and 8 to 15 digits –, or `nil` for an empty text.
  ///
  /// Spaces, hyphens, dots, slashes and brackets between the digits are dropped; a leading `00`
  /// stands for `+`.
  public static func phone(_ text: String) throws(ValidationError) -> String? {
    let trimmed = text.trimmingWhitespace()
    guard !trimmed.isEmpty else { return nil }
    guard trimmed.utf8.count <= 64 else { throw .phone }
    var digits = ""
    var hasPlus = false
    for character in trimmed {
      switch character {
      case "0"..."9" where character.isASCII: digits.append(character)
      case "+" where digits.isEmpty && !hasPlus: hasPlus = true
      case " ", "-", ".", "/", "(", ")", "\u{00A0}": continue
      default: throw .phone
      }
    }
    if !hasPlus {
      guard digits.hasPrefix("00") else { throw .phone }
      digits.removeFirst(2)
    }
    guard (8...15).contains(digits.count), !digits.hasPrefix("0") else { throw .phone }
    return "+" + digits
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

  /// Returns an alert's message of up to 500 characters, cleaned like a note.
  public static func alertMessage(_ text: String) throws(ValidationError) -> String {
    try cleaned(text, limit: 500) { .messageLength($0) }
  }

  /// Returns an alert's message from any text, cut if it is too long: a call for help must not be
  /// refused for its form.
  public static func shortenedAlertMessage(_ text: String) -> String {
    let beginning = String(text.unicodeScalars.prefix(16_000))
    if let message = try? alertMessage(beginning) { return message }
    return (try? alertMessage(String(beginning.prefix(500)))) ?? ""
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
    character.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case " ", "-", "'", "\u{2019}", ".", "\u{2010}", "\u{00B7}", "\u{30FB}", "\u{200C}",
        "\u{200D}":
        true
      default:
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
          .nonspacingMark, .spacingMark:
          true
        default: false
        }
      }
    }
  }

  /// Returns the character, or its code point if showing it would not be safe.
  private static func printable(_ character: Character) -> String {
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
