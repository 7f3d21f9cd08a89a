public import Domain

/// A mail server's answer to a test message, in words.
public struct MailTestResult: Equatable, Codable, Sendable {
  public var isSent: Bool
  /// What happened.
  public var text: String
  /// What to do about it, or `nil`.
  public var advice: String?

  public init(isSent: Bool, text: String, advice: String? = nil) {
    self.isSent = isSent
    self.text = text
    self.advice = advice
  }

  /// - Parameter report: The test message, or `nil` if it has no result yet.
  public init(_ report: DeliveryReport?, _ transport: MailTransport) {
    guard let report else {
      self.init(
        isSent: false,
        text: "The test message hasn't been sent yet: \(transport.name) hasn't answered.",
        advice:
          "The monitor goes on waiting. If none is running, start one with lifesignal monitor."
      )
      return
    }
    let reason = report.state == .sent ? nil : report.error ?? "no reason was given"
    self.init(failure: reason, to: report.address, transport)
  }

  /// - Parameter failure: Why the test message wasn't sent, or `nil` if it was.
  public init(failure reason: String?, to address: String, _ transport: MailTransport) {
    isSent = reason == nil
    guard let reason else {
      text = "\(transport.name) accepted the test message to \(address)."
      return
    }
    text = "The test message wasn't sent: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
    let hints: [(part: String, advice: String)] = [
      (
        "user name or password",
        transport.from.flatMap { MailPreset(for: $0) }?.advice
          ?? "Check the user name and the password. Some providers need an app password."
      ),
      ("needs a password", "Type the password of this mail account."),
      (
        "self-signed",
        "If it's your own server, set smtp.ca_file or smtp.fingerprint in config.json5."
      ),
      (
        "nobody known has signed",
        "If it's your own server, set smtp.ca_file or smtp.fingerprint in config.json5."
      ),
      ("has expired", "Ask the person who runs the server to renew its certificate."),
      ("isn't valid yet", "Set this computer's clock."),
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
