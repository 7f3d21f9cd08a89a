/// The result of one of the doctor's checks, and what to do next.
struct Finding: Equatable, Sendable {
  /// The check's name. Scripts rely on it, so it never changes.
  var check: Check
  var mark: Mark
  /// A sentence.
  var found: String
  /// A sentence, or `nil` if there is nothing to do.
  var advice: String?

  enum Check: String, CaseIterable, Sendable {
    case home, server, files, store, backup, account, responders, configuration, delivery, watch,
      service,
      clock, terminal
    case serverVersion = "server_version"
    case serverClock = "server_clock"
    case outbox
    case testDelivery = "test_delivery"
    case errorLog = "error_log"
  }

  enum Mark: String, Sendable {
    case ok
    /// Something is wrong, but it endangers nobody now.
    case warning
    /// Someone might not be notified, or the store might be lost.
    case failure
  }

  static func ok(_ check: Check, _ found: String) -> Finding {
    Finding(check: check, mark: .ok, found: found)
  }

  static func warning(_ check: Check, _ found: String, _ advice: String) -> Finding {
    Finding(check: check, mark: .warning, found: found, advice: advice)
  }

  static func failure(_ check: Check, _ found: String, _ advice: String?) -> Finding {
    Finding(check: check, mark: .failure, found: found, advice: advice)
  }

  /// Formats the finding as a line such as `✓ The store opens.`
  func line(usesASCII: Bool) -> String {
    let sign =
      switch mark {
      case .ok: usesASCII ? "+" : "✓"
      case .warning: "!"
      case .failure: usesASCII ? "x" : "✗"
      }
    return advice.map { "\(sign) \(found) \($0)" } ?? "\(sign) \(found)"
  }

  var json: JSONText {
    [
      "check": .string(check.rawValue), "mark": .string(mark.rawValue), "found": .string(found),
      "advice": .optional(advice),
    ]
  }
}
