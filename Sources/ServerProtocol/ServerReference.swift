package import Domain
package import FoundationEssentials

/// What every answer to a signed-in request says of the server and its caller, so that a device can
/// tell when a later request was made although its own clock is wrong.
package struct ServerReference: Equatable, Sendable {
  /// The time by the server's clock.
  package var time: Date
  package var account: User.ID
  /// Whether there is a gate, as far as the person can see.
  package var hasGate: Bool
  /// How often the server's clock was set so far: times of another era don't compare with later
  /// ones.
  package var era: Int

  /// The public key to which passphrases are sealed; `nil` if the server knows none.
  package var key: Data?

  /// The name of the header.
  package static let header = "LifeSignal-Reference"

  package init(time: Date, account: User.ID, hasGate: Bool, era: Int = 0, key: Data? = nil) {
    (self.time, self.account, self.hasGate, self.era) = (time, account, hasGate, era)
    self.key = key
  }

  /// Reads ``text``; ignores what it doesn't understand.
  /// - Returns: `nil` if something is missing.
  package init?(_ text: String) {
    var values: [Substring: Substring] = [:]
    for part in text.prefix(400).split(separator: ";") {
      let words = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if words.count == 2 { values[words[0]] = words[1] }
    }
    guard let time = values["time"].flatMap({ Int64($0) }),
      (0...253_402_300_799_999).contains(time),
      let account = values["account"].flatMap({ UUID(uuidString: String($0)) }),
      let gate = values["gate"]
    else { return nil }
    self.init(
      time: Date(timeIntervalSince1970: Double(time) / 1_000), account: account,
      hasGate: gate == "1", era: values["era"].flatMap { Int($0) } ?? 0,
      key: values["key"].flatMap { Data(base64Encoded: String($0)) })
  }

  /// Such as `time=1795000000000; account=0f…; gate=0; era=0; key=…=`.
  package var text: String {
    let milliseconds = Int64((time.timeIntervalSince1970 * 1_000).rounded())
    let id = account.uuidString.lowercased()
    return "time=\(milliseconds); account=\(id); gate=\(hasGate ? 1 : 0); era=\(era)"
      + (key.map { "; key=\($0.base64EncodedString())" } ?? "")
  }
}
