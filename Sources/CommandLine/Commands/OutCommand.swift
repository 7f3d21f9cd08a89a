import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal out`: starts an outing, moves its end or shows it (OUT-1, OUT-3).
struct OutCommand: StoreCommand {
  var action: Action
  @Dependency(\.userClient) var userClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.watchClient) var watchClient

  enum Action: Equatable, Sendable {
    case show
    /// The end and the text as typed, and the names of the responders.
    case start(OutingDraft, for: [String])
    case extend(TimeSpan)
  }

  static let declaration = CommandDeclaration(
    "out", "Say when you will be back from an outing",
    discussion: [
      "If you don't say lifesignal back by then, your responders are notified 15 minutes later, and read"
        + " your text: where you go, your company, your car. Only lifesignal back ends an outing; a check-in"
        + " doesn't.",
      "lifesignal out 18:00 \"Ben Nevis by the CMD arête, red tent\" starts one, and lifesignal out +30m has"
        + " it end later. An outing takes 10 minutes to 14 days, and there is one at a time. Without an end,"
        + " shows the outing that is on.",
      "Your deadline goes on. With --wait it waits for the outing, which needs the passphrase if a gate is"
        + " set, and all your responders are notified of it. A later end needs the passphrase, too.",
    ],
    exitCodes: [
      .locked,
      .init(
        code: .refused,
        help: "You are out already, or aren't, are overdue, or an alert is on"),
    ]
  ) { syntax in
    let end = syntax.argument(
      "END", "18:00, \"tomorrow 9:00\" or 4h; or +30m to have it end later", isRequired: false)
    let text = syntax.words("TEXT", "Where you go, with companions and in which car")
    let responders = syntax.option(
      "for", "NAME", "Notify only this responder (default: all; can be repeated)",
      isRepeatable: true, namesContact: true
    ) { $0 }
    let tell = syntax.flag("tell", "Notify them of the outing now, and when you are back")
    let wait = syntax.flag("wait", "Let a deadline before the end wait until then")
    let grace = syntax.option(
      "grace", "DURATION", "Notify them this long after the end (default: 15m)",
      read: { try EscalationRules.grace(TimeSpan(parsing: $0)) })
    return { arguments in
      var words = try [arguments.value(of: end)].compactMap(\.self) + arguments.rest(from: text)
      guard !words.isEmpty else { return OutCommand(action: .show) }
      if words[0].hasPrefix("+") {
        guard words.count == 1, let span = try? TimeSpan(parsing: String(words[0].dropFirst())),
          span > .zero
        else {
          throw UsageError(
            sentence: "\(quoted(words.joined(separator: " "))) isn't a time to add.",
            advice: "Write lifesignal out +30m.")
        }
        return OutCommand(action: .extend(span))
      }
      let typedEnd = OutingDraft.takeEnd(from: &words)
      return OutCommand(
        action: .start(
          OutingDraft(
            end: typedEnd, zone: "", text: words.joined(separator: " "),
            isAnnounced: arguments.isSet(tell), holdsDeadline: arguments.isSet(wait),
            grace: try arguments.value(of: grace) ?? Outing.standardGrace),
          for: try arguments.all(responders)))
    }
  }

  var onlyReads: Bool { action == .show }

  func run(_ invocation: Invocation) async throws -> Report {
    switch action {
    case .show:
      guard let outing = try await userClient.currentUser().outing else {
        return Report(["You aren't out. lifesignal out 18:00 starts an outing."])
      }
      return Report([dateClient.line(about: outing)])
    case .start(let draft, let names): return try await start(draft, for: names, invocation)
    case .extend(let span):
      guard let outing = try await userClient.currentUser().outing else { throw ClientError.notOut }
      let user = try await invocation.during("NOT extended") {
        try await invocation.passingGate {
          try await checkInClient.extendOuting(OutingExtension(outing, by: span))
        }
      }
      return Report(user.outing.map { [dateClient.line(about: $0)] } ?? [])
    }
  }

  private func start(
    _ typed: OutingDraft, for names: [String], _ invocation: Invocation
  ) async throws -> Report {
    await connectionClient.learnTime()
    var draft = typed
    draft.zone = dateClient.calendar.zoneName
    do { _ = try draft.proposed(at: dateClient.now()) } catch {
      throw CommandFailure(error, exitCode: .usage)
    }
    if !names.isEmpty {
      draft.responders = try await contactsClient.contacts()
        .responders(named: names.joined(separator: ",")).map(\.id)
    }
    let asked = draft
    let user = try await invocation.during("NOT started") {
      try await invocation.passingGate { try await checkInClient.startOuting(asked) }
    }
    guard let outing = user.outing else { return Report([]) }
    let end = dateClient.describe(outing.graceEnd)
    let who = names.isEmpty ? "Your responders" : "Only the responders that you chose"
    var report = Report([
      dateClient.line(about: outing),
      "\(who) are notified \(end), unless you say lifesignal back before.",
    ])
    if user.deadline.promised < outing.until, !user.deadline.isPaused(at: dateClient.now()) {
      report.lines.append(
        outing.holdsDeadline
          ? "Your deadline of \(dateClient.describe(user.deadline.promised)) waits until then."
          : "Your deadline goes on: check in by \(dateClient.describe(user.deadline.date)).")
    }
    // Who goes out relies on the watch, and can't set it up on the way.
    let watch = await Situation.Watch(watchClient)
    report.warnings +=
      [watch.clockWarning].compactMap(\.self) + watch.mailWarnings(invocation) + watch.warnings
    return report
  }
}

extension OutingDraft {
  /// Takes the words that say when an outing ends, of which there can be several: `tomorrow 9:00`,
  /// `2d 12h`, `2 days`.
  static func takeEnd(from words: inout [String]) -> String {
    var end = [words.removeFirst()]
    while let next = words.first {
      let last = end[end.count - 1].lowercased()
      let isDay = ["today", "tomorrow"].contains(last) || last.isDate
      guard
        last == "until" || isDay && next.wholeMatch(of: /\d{1,2}:\d\d/) != nil
          || isSpan(end, followedBy: next)
      else { break }
      end.append(words.removeFirst())
    }
    return end.joined(separator: " ")
  }

  /// Whether a word belongs to the span before it: `12h` to `2d`, `days` to `2`.
  private static func isSpan(_ words: [String], followedBy next: String) -> Bool {
    let span = words.drop { $0.lowercased() == "until" }
    guard (try? TimeSpan(parsing: (span + [next]).joined(separator: " "))) != nil else {
      return false
    }
    // A number that follows is rather the beginning of the text.
    return Int(span.last ?? "") != nil || (try? TimeSpan(parsing: next)) != nil && Int(next) == nil
  }
}

extension Invocation {
  /// Says of an outing that it isn't as the person wants it, if the server doesn't answer (OUT-5).
  fileprivate func during(_ failure: String, _ body: () async throws -> User) async throws -> User {
    do { return try await body() } catch let error as ClientError {
      let text = text(of: error).ofOuting(failure)
      throw CommandFailure(
        text.description, advice: text.recovery, exitCode: error.exitCode)
    }
  }
}

extension DateClient {
  /// What an outing is, as a sentence.
  fileprivate func line(about outing: Outing) -> String {
    let text = outing.text.isEmpty ? "" : " – \(outing.text.replacing("\n", with: "; "))"
    let distance = outing.distanceText(at: now())
    return now() < outing.until
      ? "Out until \(describe(outing.until)), in \(distance)\(text)"
      : "You were to be back \(describe(outing.until)), \(distance) ago\(text)"
  }
}
