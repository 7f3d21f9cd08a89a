/// How a phone number is shown (ONB-2); it is copied and dialled as it is stored.
public enum PhoneNumber {
  /// Returns a number in E.164 form as it is read out, country code first: `+44 20 7183 8750`.
  ///
  /// The groups have three and four digits, since most countries' own grouping is not known here.
  public static func grouped(_ number: String) -> String {
    let digits = number.dropFirst()
    guard number.hasPrefix("+"), digits.count > 7, let first = digits.first else { return number }
    let code =
      first == "1" || first == "7" ? 1 : twoDigitCodes.contains(String(digits.prefix(2))) ? 2 : 3
    var groups = ["+" + digits.prefix(code)]
    var rest = digits.dropFirst(code)
    if digits.hasPrefix("44"), let lengths = britishLengths(rest) {
      for length in lengths {
        groups.append(String(rest.prefix(length)))
        rest = rest.dropFirst(length)
      }
      return groups.joined(separator: " ")
    }
    while rest.count > 4 {
      // The last two groups are alike: 3 3 4, 3 4 4, 3 3 3.
      let length = rest.count == 8 ? 4 : rest.count == 5 ? 2 : 3
      groups.append(String(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return (groups + [String(rest)]).joined(separator: " ")
  }

  /// Returns the group lengths of a number of the United Kingdom (Ofcom, *National Telephone
  /// Numbering Plan*), or `nil` for a number of another length. Area codes have two, three or four
  /// digits; mobile numbers are grouped like those with four.
  private static func britishLengths(_ number: Substring) -> [Int]? {
    guard number.count == 10 else { return nil }
    let (first, second, third) = (number.first, number.dropFirst().first, number.dropFirst(2).first)
    switch first {
    case "2": return [2, 4, 4]
    case "1" where second != "1" && third != "1", "7": return [4, 6]
    default: return [3, 3, 4]
    }
  }

  /// The two-digit codes that ITU-T E.164 has assigned; all others but 1 and 7 have three.
  private static let twoDigitCodes = Set(
    [
      "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63",
      "64 65 66 81 82 84 86 90 91 92 93 94 95 98",
    ]
    .flatMap { $0.split(separator: " ") }.map(String.init))
}
