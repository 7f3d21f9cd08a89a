import Clients
import Domain

/// One call of a healthchecks-compatible service (WCH-2). `/fail` behind the address says that messages
/// can't be sent; the reason isn't included, because it may name people.
struct Heartbeat {
  var url: String
  var isFailing: Bool

  /// Where it goes. What stands after the path stays there: a token, say.
  var address: String {
    guard isFailing else { return url }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path + (path.hasSuffix("/") ? "fail" : "/fail") + url.dropFirst(path.count)
  }

  func send(_ settings: HTTPTransfer.Settings, dateClient: DateClient) async -> DeliveryOutcome {
    let result = await HTTPTransfer.result(
      of: HTTPRequest(method: .get, url: address), settings: settings)
    return DeliveryOutcome(result, service: "the heartbeat's service", now: dateClient.now())
  }
}
