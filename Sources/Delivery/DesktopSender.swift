public import Clients
public import Domain
import System

/// Delivers by a desktop notification on the machine that runs the monitor.
public struct DesktopSender: Sendable {
  private let program: String
  private let dateClient: DateClient
  private let limit: Duration

  /// - Parameters:
  ///   - program: A path, or a name to look up in `PATH`.
  ///   - limit: The time after which the program is killed.
  public init(
    program: String = "notify-send", dateClient: DateClient, limit: Duration = .seconds(5)
  ) {
    self.program = program
    self.dateClient = dateClient
    self.limit = limit
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let text = MessageText(delivery: delivery, calendar: dateClient.calendar)
    let short = text.short
    let urgency = text.isUrgent ? "critical" : delivery.stage.isEnd ? "low" : "normal"
    // Desktops read the body as markup, but not the title, and notify-send reads a backslash in the
    // body as the beginning of an escape sequence.
    let result = await Subprocess.run(
      program,
      [
        "--app-name=LifeSignal", "--urgency=\(urgency)", "--", short.title,
        short.text.shortened(toBytes: 1_000).escapedForHTML.replacing("\\", with: "\\\\"),
      ], within: limit)
    let complaint = String(decoding: result.complaint, as: UTF8.self).printableLine
    let detail = complaint.isEmpty ? "" : ": \(complaint)"
    switch result.end {
    case .exited(0): return .sent
    case .exited(let code):
      return .retry(reason: "the desktop shows nothing (\(code))\(detail)", after: nil)
    case .killed: return .ambiguous(reason: "notify-send was killed\(detail)")
    case .tookTooLong: return .ambiguous(reason: "the desktop did not answer in time")
    case .notFound: return .misconfigured(reason: "notify-send is not installed")
    case .notStarted(let reason):
      return .misconfigured(reason: "notify-send could not be started (\(reason))")
    }
  }
}
