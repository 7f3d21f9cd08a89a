import Clients
import Composable
import Domain
import FoundationEssentials

/// Who watches the deadlines, as the command line words it (WCH-1).
extension Situation.Watch {
  /// Asks who watches. The kinds of channel are read only if they make a difference.
  init(_ client: WatchClient) async {
    let status = try? await client.status()
    self.init(status: status)
    if !isRunning || status?.problem != nil {
      self.init(status: status, usedKinds: await Self.usedKinds())
    }
  }

  /// Returns the kinds of channel that the user and their responders use; `nil` if they can't be
  /// read.
  static func usedKinds() async -> Set<Channel.Kind>? {
    @Dependency(\.channelsClient) var channelsClient
    @Dependency(\.contactsClient) var contactsClient
    guard let own = try? await channelsClient.overview().own,
      let overview = try? await contactsClient.overview(naming: 0)
    else { return nil }
    return overview.channelKinds.union(own.map(\.kind))
  }

  /// What to do if no monitor is running.
  static var advice: String {
    @Dependency(\.accountHost.serverName) var serverName
    return serverName.map { "Tell the person who runs the server \($0)." }
      ?? "Start one with lifesignal monitor."
  }

  /// The warnings for the user; empty if all is well.
  var warnings: [String] {
    if let problem { return [problem.text] }
    return isMissing ? ["No monitor is running. \(Self.advice)"] : []
  }

  /// Returns what a monitor would report as missing if one were running; a running one reports it
  /// itself. A broken file is reported when the store is opened.
  func mailWarnings(_ invocation: Invocation) -> [String] {
    guard !isRunning, (try? invocation.joinedServer()) == nil,
      let saved = try? invocation.configuration(invocation.folders())
    else {
      return []
    }
    if let exposure = saved.exposure, exposure.blocksMail {
      return [exposure.text.sentence]
    }
    guard !saved.configuration.canSendMail, usedKinds?.contains(.email) != false else { return [] }
    return ["Mail isn't set up, so nobody is notified by e-mail. Run lifesignal mail setup."]
  }

  /// A warning about the clock that the deadlines are watched by, as a sentence (ESC-5).
  var clockWarning: String? { status?.clock?.text }

  /// Returns the line for `lifesignal status`.
  func line(now: Date) -> String { "Watched by:     \(text(now: now))" }

  func text(now: Date) -> String {
    switch status {
    case nil: "not known"
    case let status? where status.monitors == 0 && status.fault == nil:
      "\(standbyText(now: now).map { "no monitor, but \($0)" } ?? "nobody"). \(Self.advice)"
    case let status? where status.monitors == 0: "nobody here"
    case let status?:
      "\(status.monitors) monitor\(status.monitors == 1 ? "" : "s")"
        + (status.lastSeen.map { ", last seen \(Self.age(of: $0, now: now))" } ?? "")
    }
  }

  /// Who notices while no monitor runs; `nil` if nobody does (WCH-2).
  func standbyText(now: Date) -> String? {
    guard let standby = standby(at: now) else { return nil }
    @Dependency(\.dateClient) var dateClient
    let heartbeat = standby.heartbeatWorks ? standby.heartbeat : nil
    let message = standby.message(at: now).map { date in
      "\(standby.topic ?? "ntfy") sends a message \(dateClient.calendar.describe(date, now: now))"
    }
    let notifiers = [heartbeat.map { "\($0) notices that the heartbeat stopped" }, message]
    return notifiers.compactMap(\.self).joinedAsList
  }

  private static func age(of date: Date, now: Date) -> String {
    TimeSpan(seconds: max(0, Int(bounded: now.timeIntervalSince(date)))).ageDescription
  }
}

extension Situation.Watch.Problem {
  /// The problem as a sentence.
  var text: String {
    switch self {
    case .fault(let fault): fault
    case .blocked(let onlyMail, let reason):
      "The monitor can't send \(onlyMail ? "mail" : "messages"):"
        + " \(reason.hasSuffix(".") ? reason : reason + ".")"
    }
  }
}
