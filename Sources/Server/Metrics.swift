import Synchronization

/// The counters of a server, in Prometheus's text format 0.0.4.
final class Metrics: Sendable {
  /// The upper bounds of the histogram of request times, in seconds.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

  private struct Contents {
    var requests: [Key: Int] = [:]
    var classes = [Int](repeating: 0, count: bounds.count + 1)
    var seconds = 0.0
    var replays = 0
  }

  private struct Key: Hashable, Comparable {
    var route: String
    var status: Int
    static func < (a: Key, b: Key) -> Bool { (a.route, a.status) < (b.route, b.status) }
  }

  private let contents = Mutex(Contents())

  func count(_ route: String, _ status: Int, seconds: Double) {
    contents.withLock { contents in
      contents.requests[Key(route: route, status: status), default: 0] += 1
      contents.classes[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      contents.seconds += seconds
    }
  }

  func countReplay() { contents.withLock { $0.replays += 1 } }

  /// Returns the counters as text.
  /// - Parameter gauges: The present values, by name.
  func text(_ gauges: [(name: String, help: String, value: Int)]) -> String {
    let contents = contents.withLock(\.self)
    var lines = [
      "# HELP lifesignal_requests_total Requests by operation and status.",
      "# TYPE lifesignal_requests_total counter",
    ]
    for (key, count) in contents.requests.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "lifesignal_requests_total{operation=\"\(key.route)\",status=\"\(key.status)\"} \(count)")
    }
    lines += [
      "# HELP lifesignal_request_seconds How long requests took.",
      "# TYPE lifesignal_request_seconds histogram",
    ]
    var total = 0
    for (bound, count) in zip(Self.bounds, contents.classes) {
      total += count
      lines.append("lifesignal_request_seconds_bucket{le=\"\(bound)\"} \(total)")
    }
    total += contents.classes.last ?? 0
    lines += [
      "lifesignal_request_seconds_bucket{le=\"+Inf\"} \(total)",
      "lifesignal_request_seconds_sum \(contents.seconds)",
      "lifesignal_request_seconds_count \(total)",
      "# HELP lifesignal_replays_total Repeats that were answered from memory.",
      "# TYPE lifesignal_replays_total counter",
      "lifesignal_replays_total \(contents.replays)",
    ]
    for gauge in gauges {
      lines += [
        "# HELP lifesignal_\(gauge.name) \(gauge.help)", "# TYPE lifesignal_\(gauge.name) gauge",
        "lifesignal_\(gauge.name) \(gauge.value)",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
