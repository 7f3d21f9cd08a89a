/// The number of the emergency services in the country of a phone number.
public enum EmergencyNumber {
  /// - Parameter phone: A number in E.164 form, or `nil`.
  /// - Returns: The number to call; 112, which every mobile phone knows, if the country is not
  ///   known.
  public static func of(phone: String?) -> String {
    guard let phone, phone.hasPrefix("+") else { return standard }
    let digits = phone.dropFirst()
    // Longer codes come before the shorter ones that they start with.
    return numbers.first { digits.hasPrefix($0.code) }?.number ?? standard
  }

  private static let standard = "112"

  /// The numbers that differ from 112, by the country codes of ITU-T E.164.
  private static let numbers: [(code: String, number: String)] =
    [
      ("852", "999"), ("853", "999"), ("880", "999"), ("886", "119 or 110"), ("254", "999 or 112"),
      ("256", "999 or 112"), ("263", "999"), ("234", "112 or 767"), ("971", "999 or 998"),
      ("973", "999"), ("974", "999"), ("966", "911 or 112"), ("962", "911"), ("972", "101 or 112"),
      ("977", "102 or 100"), ("502", "110 or 122"), ("503", "911"), ("504", "911"), ("505", "911"),
      ("506", "911"), ("507", "911"), ("591", "110 or 118"), ("593", "911"), ("595", "911"),
      ("598", "911"), ("20", "123 or 112"), ("27", "10177 or 112"), ("44", "999 or 112"),
      ("51", "911"), ("52", "911"), ("54", "911"), ("55", "192 or 190"), ("56", "131 or 133"),
      ("57", "123"), ("58", "911"), ("60", "999"), ("61", "000"), ("62", "112 or 118"),
      ("63", "911"), ("64", "111"), ("65", "995 or 999"), ("66", "1669 or 191"),
      ("81", "119 or 110"),
      ("82", "119 or 112"), ("84", "115 or 113"), ("86", "120 or 110"), ("91", "112"),
      ("92", "1122 or 15"), ("94", "119 or 1990"), ("98", "115 or 110"), ("1", "911"),
    ]
}
