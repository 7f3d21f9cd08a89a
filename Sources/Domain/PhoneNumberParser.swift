/// Reads a phone number as people write and copy it.
///
/// The result is the number that was meant, or an error; never another number.
struct PhoneNumberParser {
  /// The digits without an international prefix.
  private var digits = ""
  /// The first group in brackets that doesn't begin the text, such as the zero of `+44 (0)20`.
  private var bracketed: Range<Int>?
  private var openBracket: Int?
  /// Whether a zero stands alone in brackets that aren't the first.
  private var hasLaterZero = false
  /// Whether a `+` came first.
  private var hasPlus = false
  private var digitsSinceSlash: Int?

  /// Returns the number in E.164 form.
  static func number(_ text: String) throws(ValidationError) -> String {
    var parser = PhoneNumberParser()
    for scalar in try withoutScheme(text).unicodeScalars { try parser.read(scalar) }
    return try parser.number()
  }

  // MARK: Characters

  private mutating func read(_ scalar: Unicode.Scalar) throws(ValidationError) {
    // Keyboards of East Asia have a wide form of every ASCII character.
    let isWide = (0xFF01...0xFF5E).contains(scalar.value)
    let plain = isWide ? Unicode.Scalar(scalar.value - 0xFEE0)! : scalar
    if plain.properties.generalCategory == .decimalNumber, let value = plain.properties.numericValue
    {
      digits += "\(Int(value))"
      digitsSinceSlash? += 1
      return
    }
    switch plain {
    case "+", "\u{FE62}":
      guard digits.isEmpty, !hasPlus else { throw .phoneCharacter("+") }
      hasPlus = true
    case "(", "[":
      guard openBracket == nil else { throw .phoneCharacter(String(Character(plain))) }
      openBracket = digits.count
    case ")", "]":
      guard let start = openBracket else { throw .phoneCharacter(String(Character(plain))) }
      openBracket = nil
      // A bracket at the start holds the country code, as in (+49) 30.
      if bracketed == nil, start > 0 {
        bracketed = start..<digits.count
      } else if digits.dropFirst(start) == "0" {
        hasLaterZero = true
      }
    case "/":
      // Behind a second one, or before a few digits, another number or an extension follows.
      guard digitsSinceSlash == nil else { throw .phoneCharacter("/") }
      digitsSinceSlash = 0
    case "-", ".", "\u{00B7}", "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FE63}", "\u{30FC}": break
    // Digits after an override are shown in another order than they are stored in.
    case "\u{202E}": throw .phoneCharacter("U+202E")
    case _ where plain.properties.generalCategory == .spaceSeparator || plain == "\t": break
    // Marks that nobody sees come along with what is copied; a keycap surrounds the digit before it.
    case "\u{20E3}": break
    case _ where plain.properties.isDefaultIgnorableCodePoint: break
    default: throw .phoneCharacter(ProfileRules.printable(Character(plain)))
    }
  }

  /// Returns the number of a `tel:` link, without the parameters that don't change it.
  private static func withoutScheme(_ text: String) throws(ValidationError) -> String {
    var rest = text[...]
    for scheme in ["tel:", "callto:"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
      let parts = rest.split(separator: ";", omittingEmptySubsequences: false)
      for parameter in parts.dropFirst() {
        let name = parameter.prefix { $0 != "=" }.lowercased()
        guard !["ext", "isub", "postd"].contains(name) else { throw .phoneExtension }
      }
      return String(parts[0]).replacing(#/%2[Bb]/#, with: "+").replacing("%20", with: " ")
        .replacing("%28", with: "(").replacing("%29", with: ")")
    }
    return text
  }

  // MARK: Digits

  private func number() throws(ValidationError) -> String {
    if openBracket != nil { throw .phoneCharacter("(") }
    if let digitsSinceSlash, digitsSinceSlash < 4 { throw .phoneExtension }
    let (dropped, isCertain) = try internationalPrefix()
    let code = PhonePlan.code(of: digits.dropFirst(dropped))
    let plan = PhonePlan.all[code]
    let start = dropped + code.count
    let typed = String(digits.dropFirst(start))
    let group = bracketed.map { digits.dropFirst($0.lowerBound).prefix($0.count) } ?? ""
    let isFirst = bracketed?.lowerBound == start
    // Elsewhere, a zero in brackets is dialled by some only.
    guard !hasLaterZero, isFirst || group != "0" else { throw .phonePrefix }
    let number = try Self.withoutTrunk(typed, bracketed: isFirst ? group : "", code: code, plan)
    if let plan {
      guard number.count <= plan.lengths.max()! else { throw .phoneLength(code) }
      let isAsTyped = isCertain && number == typed && !(isFirst && group == "0")
      guard isAsTyped && digitsSinceSlash == nil || plan.allows(number) else { throw .phonePrefix }
    }
    let whole = code + number
    // Only a few islands have shorter ones.
    let isLongEnough = whole.count >= 8 || plan?.allows(number) == true
    guard isLongEnough, whole.count <= 15, !whole.hasPrefix("0") else { throw .phone }
    return "+" + whole
  }

  /// Returns how many digits come before the country code, and whether they can't be anything else.
  private func internationalPrefix() throws(ValidationError) -> (count: Int, isCertain: Bool) {
    if hasPlus { return (0, true) }
    // 0011 is Australia's prefix, but could be 00 before a number of North America.
    if digits.hasPrefix("00"), !digits.hasPrefix("0011") { return (2, false) }
    // North America's prefix is an area code elsewhere, in numbers that are shorter.
    if digits.hasPrefix("011"), digits.count >= 12 { return (3, false) }
    throw .phone
  }

  /// Returns a number without the digits that are dialled before it within its country.
  /// - Parameter bracketed: The first digits, if they stood in brackets.
  private static func withoutTrunk(
    _ number: String, bracketed: Substring, code: String, _ plan: PhonePlan?
  ) throws(ValidationError) -> String {
    guard let plan else {
      guard !number.hasPrefix("0") else { throw .phonePrefix }
      return number
    }
    let isBracketed = !bracketed.isEmpty && (bracketed == "0" || bracketed == plan.trunk)
    var prefixes = formerTrunks[code, default: []]
    if !plan.trunk.isEmpty { prefixes.append(plan.trunk) }
    // Some write a zero that their country doesn't have.
    if bracketed == "0", !prefixes.contains("0") { prefixes.append("0") }
    let present = prefixes.filter(number.hasPrefix)
    guard !present.isEmpty else {
      // An Italian mobile number has no zero, and no landline that begins with 03 is as long.
      let isItalianMobile = code == "39" && number.hasPrefix("03") && number.count == 11
      guard !number.hasPrefix("0") || plan.allows(number) && !isItalianMobile else {
        throw .phonePrefix
      }
      return number
    }
    let shortened = present.map { String(number.dropFirst($0.count)) }.filter(plan.allows)
    guard plan.allows(number) else {
      guard shortened.count == 1 else { throw .phonePrefix }
      return shortened[0]
    }
    // The number is one with these digits, and may be another one without them.
    guard shortened.isEmpty || !isBracketed && plan.trunk != "0" else { throw .phonePrefix }
    return number
  }

  /// What was dialled before numbers until a few years ago, and is still written.
  private static let formerTrunks = ["370": ["8"], "52": ["1", "01", "044", "045"]]
}
