/// How a stored phone number is shown (ONB-2); what is copied or dialled stays as it is stored.
public enum PhoneNumber {
  /// A number in E.164 form as it is read out, its country's code first: `+44 20 7183 8750`.
  ///
  /// How most countries divide their numbers is not known here: the groups are of three and four digits.
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

  /// How a number of the United Kingdom is divided (Ofcom, *National Telephone Numbering Plan*): area codes
  /// have two, three or four digits, and mobile numbers are written like the last; `nil` for one of another
  /// length.
  private static func britishLengths(_ number: Substring) -> [Int]? {
    guard number.count == 10 else { return nil }
    let (first, second, third) = (number.first, number.dropFirst().first, number.dropFirst(2).first)
    switch first {
    case "2": return [2, 4, 4]
    case "1" where second != "1" && third != "1", "7": return [4, 6]
    default: return [3, 3, 4]
    }
  }

  /// The codes of two digits that ITU-T E.164 has assigned; all others but 1 and 7 have three.
  private static let twoDigitCodes = Set(
    [
      "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63",
      "64 65 66 81 82 84 86 90 91 92 93 94 95 98",
    ]
    .flatMap { $0.split(separator: " ") }.map(String.init))
}
