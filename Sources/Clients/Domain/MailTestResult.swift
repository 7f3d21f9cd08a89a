public import Domain

/// A mail server's answer to a test message, in words.
public struct MailTestResult: Equatable, Codable, Sendable {
  public var isSent: Bool
  /// What happened.
  public var text: String
  /// What to do about it, or `nil`.
  public var advice: String?

  /// - Parameter report: The test message, or `nil` if it has no result yet.
  public init(_ report: DeliveryReport?, _ transport: MailTransport) {
    isSent = report?.state == .sent
    guard let report else {
      text = "The test message hasn't been sent yet: no monitor took it."
      advice = "Start one with lifesignal monitor, then try again."
      return
    }
    guard report.state != .sent else {
      text = "\(transport.name) accepted the test message to \(report.address)."
      return
    }
    let reason = report.error ?? "no reason was given"
    text = "The test message wasn't sent: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
    let hints: [(part: String, advice: String)] = [
      (
        "user name or password",
        transport.from.flatMap { MailPreset(for: $0) }?.advice
          ?? "Check the user name and the password. Some providers need an app password."
      ),
      ("needs a password", "Type the password of this mail account."),
      ("resolve", "Check the server's name."),
      (
        "can't be reached",
        transport.place.map { "\($0) was tried. Check the name, the port and your network." }
          ?? "Check your network."
      ),
      (
        "certificate",
        "Check the server's name: the certificate is for another one, or has expired."
      ),
      ("STARTTLS", "Choose TLS instead."),
      ("secure connection", "Choose STARTTLS instead of TLS, or TLS instead of STARTTLS."),
      ("as a sender", "Use the address that belongs to this account."),
    ]
    advice = hints.first { reason.contains($0.part) }?.advice
  }

  /// What happened and what to do about it.
  public var sentences: String { [text, advice].compactMap(\.self).joined(separator: " ") }
}

extension MailTransport {
  /// `smtp.example.org, port 587`.
  fileprivate var place: String? {
    if case .smtp(let smtp) = self { "\(smtp.host), port \(smtp.port)" } else { nil }
  }
}

extension SMTPSettings.Security {
  /// `STARTTLS`.
  public var displayText: String {
    switch self {
    case .starttls: "STARTTLS"
    case .tls: "TLS"
    case .none: "no encryption"
    }
  }
}
