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
struct HeartbeatSection: Decodable {
  private var url: String
  private var every: String?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    try container.refuseUnknown(["url", "every"])
    url = try container.decode(String.self, forKey: AnyKey("url"))
    every = try container.decodeIfPresent(String.self, forKey: AnyKey("every"))
  }

  func checked(_ text: String) throws(ConfigurationError) -> HeartbeatSettings {
    // The rule of a webhook's address holds here as well: https, or this machine.
    guard let address = try? Channel.Kind.webhook.checkedAddress(url), !address.contains("?") else {
      throw ConfigurationError(
        line: text.line(ofKey: "url", in: "heartbeat"),
        reason: "heartbeat.url must be an https address")
    }
    guard let every else { return HeartbeatSettings(url: address) }
    guard let span = try? TimeSpan(parsing: every), .seconds(10) <= span, span <= .days(1) else {
      throw ConfigurationError(
        line: text.line(ofKey: "every", in: "heartbeat"),
        reason: "heartbeat.every must be a time from “10s” to “1d”")
    }
    return HeartbeatSettings(url: address, every: span)
  }
}
