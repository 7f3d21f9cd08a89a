import Clients
import Composable
import Domain
import FoundationEssentials

/// Who watches the deadlines, as the command line words it (WCH-1).
struct WatchReport: Sendable {
  /// `nil` if it is unknown.
  var status: WatchStatus?
  /// The kinds of channel that the user and their responders use; `nil` if unknown.
  private var kinds: Set<Channel.Kind>?
  /// What to do if no monitor is running.
  private(set) var advice = "Start one with lifesignal monitor."
  /// Whether a server watches the account.
  private(set) var isOfServer = false

  init(status: WatchStatus?, kinds: Set<Channel.Kind>? = nil) {
    self.status = status
    self.kinds = kinds
  }

  init(_ client: WatchClient) async {
    @Dependency(\.accountHost.serverName) var serverName
    isOfServer = serverName != nil
    if let serverName { advice = "Tell the person who runs the server \(serverName)." }
    status = try? await client.status()
    // Read only if it makes a difference.
    if !isWatched || status?.problem != nil { kinds = await Self.usedKinds() }
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

  var isWatched: Bool { (status?.monitors ?? 0) > 0 }

  /// Why no monitor here can watch the account, as a sentence: it was moved, or the store is damaged.
  var fault: String? {
    guard let fault = status?.fault, !isWatched || fault == status?.problem else { return nil }
    return fault
  }

  /// A warning about what keeps the monitors from sending.
  var problem: String? {
    if let fault { return fault }
    guard isWatched, let problem = status?.problem(concerning: kinds) else { return nil }
    let what = status?.failingKinds == [.email] ? "mail" : "messages"
    return "The monitor can't send \(what): \(problem.hasSuffix(".") ? problem : problem + ".")"
  }

  /// What keeps nothing from being sent, but doesn't work, as sentences.
  var notice: String? { fault == nil ? status?.notice : nil }

  /// The warnings for the user; empty if all is well.
  var warnings: [String] {
    if let problem { return [problem] }
    guard let status, status.monitors == 0 else { return [] }
    return ["No monitor is running. \(advice)"]
  }

  /// Returns what a monitor would report as missing if one were running; a running one reports it
  /// itself. A broken file is reported when the store is opened.
  func mailWarnings(_ invocation: Invocation) -> [String] {
    guard !isWatched, (try? invocation.joinedServer()) == nil,
      let saved = try? invocation.configuration(invocation.folders())
    else {
      return []
    }
    if let exposure = saved.exposure, exposure.blocksMail {
      return [exposure.text.sentence]
    }
    guard !saved.configuration.canSendMail, kinds?.contains(.email) != false else { return [] }
    return ["Mail isn't set up, so nobody is notified by e-mail. Run lifesignal mail setup."]
  }

  /// A warning about the clock that the deadlines are watched by, as a sentence (ESC-5).
  var clockWarning: String? { status?.clock?.text }

  /// Returns the line for `lifesignal status`.
  func line(now: Date) -> String { "Watched by:     \(words(now: now))" }

  func words(now: Date) -> String {
    switch status {
    case nil: "not known"
    case let status? where status.monitors == 0 && status.fault == nil:
      "\(standby(now: now).map { "no monitor, but \($0)" } ?? "nobody"). \(advice)"
    case let status? where status.monitors == 0: "nobody here"
    case let status?:
      "\(status.monitors) monitor\(status.monitors == 1 ? "" : "s")"
        + (status.lastSeen.map { ", last seen \(Self.age(of: $0, now: now))" } ?? "")
    }
  }

  /// Who notices while no monitor runs; `nil` if nobody does (WCH-2).
  func standby(now: Date) -> String? {
    guard let standby = status?.standby, standby.works(at: now) else { return nil }
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
