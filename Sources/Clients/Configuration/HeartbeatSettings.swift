public import Domain

/// The service to which a monitor reports that it works, such as healthchecks.io, and which raises
/// the alarm when the reports stop (WCH-2).
public struct HeartbeatSettings: Equatable, Sendable {
  public static let defaultPace = TimeSpan.minutes(1)

  /// The URL, requested while all is well, and with `/fail` appended while nothing can be
  /// delivered.
  public var url: String
  /// The time between two requests, 10 s to 1 d.
  public var every: TimeSpan

  public init(url: String, every: TimeSpan = defaultPace) {
    self.url = url
    self.every = every
  }
}

/// `heartbeat: {url: "https://hc-ping.com/…", every: "5m"}`
struct HeartbeatSection: ConfigurationSection {
  enum CodingKeys: String, CodingKey, CaseIterable { case url, every }

  private var url: String
  private var every: String?

  func checked(_ text: String) throws(ConfigurationError) -> HeartbeatSettings {
    let address = try text.address(url, in: "heartbeat")
    guard let every else { return HeartbeatSettings(url: address) }
    guard let span = try? TimeSpan(parsing: every), .seconds(10) <= span, span <= .days(1) else {
      throw ConfigurationError(
        line: text.line(ofKey: "every", in: "heartbeat"),
        reason: "heartbeat.every must be a time from “10s” to “1d”")
    }
    return HeartbeatSettings(url: address, every: span)
  }
}
