public import Domain

/// Where a monitor shows that it works: a service that calls when it has not heard for a while, such
/// as healthchecks.io (WCH-2).
public struct HeartbeatSettings: Equatable, Sendable {
  public static let defaultPace = TimeSpan.minutes(1)

  /// Requested while all is well; with `/fail` behind it while nothing can be delivered.
  public var url: String
  /// 10 s to 1 d.
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
