/// How a phone number is shown (ONB-2); it is copied and dialled as it is stored.
public enum PhoneNumber {
  /// Returns a number in E.164 form as it is read out, country code first: `+44 20 7183 8750`.
  ///
  /// The groups have three and four digits, since most countries' own grouping is not known here.
  public static func grouped(_ number: String) -> String {
    let digits = number.dropFirst()
    guard number.hasPrefix("+"), digits.count > 7 else { return number }
    let code = PhonePlan.code(of: digits).count
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

  /// Returns the digits by which a typed part of a number is found in stored ones, or `nil` if it
  /// isn't one. A zero that is dialled within the country only is left out.
  public static func searchedDigits(_ text: String) -> String? {
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || " +()-./".contains($0)) }) else {
      return nil
    }
    var digits = text.filter(\.isNumber)[...]
    if !text.contains("+") { digits = digits.drop { $0 == "0" } }
    return digits.count < 2 ? nil : String(digits)
  }
}
