import Clients
import Domain

/// One call to a healthchecks-compatible service (WCH-2). `/fail` after the path reports that
/// messages can't be sent. The reason is not included, because it may name people.
struct Heartbeat {
  var url: String
  var isFailing: Bool

  /// The URL to call. A query or fragment, such as a token, stays after the path.
  var address: String {
    guard isFailing else { return url }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path + (path.hasSuffix("/") ? "fail" : "/fail") + url.dropFirst(path.count)
  }

  func send(
    by http: HTTPClient, within limits: TransferLimits, reach: HTTPRequest.Reach = .web(),
    dateClient: DateClient
  ) async -> DeliveryOutcome {
    let result = await http.send(
      HTTPRequest(method: .get, url: address, limits: limits, reach: reach))
    return DeliveryOutcome(
      result, service: "the heartbeat's service", rules: .heartbeat, now: dateClient.now())
  }
}

extension AnswerRules {
  /// The words with which services that watch heartbeats say that one doesn't count. healthchecks
  /// says so of an unknown check with a status for success.
  static let heartbeat = AnswerRules(
    refused: [.members(["ok": .bool(false)]), .text("*not found*")],
    limited: [.text("*rate limited*")])
}
