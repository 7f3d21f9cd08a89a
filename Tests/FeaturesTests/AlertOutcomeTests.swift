import Clients
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

struct AlertOutcomeTests {
  private func delivery(
    _ state: DeliveryState, to contact: Contact = Sample.grace, stage: Stage = .alertOn,
    channel: Channel.Kind = .email, error: String? = nil, after seconds: Int = 0
  ) -> DeliveryReport {
    DeliveryReport(
      id: UUID(), stage: stage, recipientID: .contact(contact.id), recipient: contact.name,
      channel: channel, address: "\(channel) of \(contact.name)", state: state,
      date: Sample.now + .seconds(seconds), error: error)
  }

  private func report(
    _ deliveries: [DeliveryReport], responding: [Contact] = [], withdrawn: [Contact] = []
  ) -> AlertReport {
    var alert = Sample.alert
    alert.acknowledgements = responding.map {
      Acknowledgement(responder: $0.id, name: $0.name, date: Sample.now + .minutes(2))
    }
    return AlertReport(
      alert: alert, deliveries: deliveries,
      withdrawals: withdrawn.map {
        Withdrawal(responder: $0.id, name: $0.name, date: Sample.now + .minutes(4))
      })
  }

  private func banner(
    _ report: AlertReport, _ change: (inout AccountSnapshot) -> Void = { _ in }
  ) -> String {
    var snapshot = Sample.snapshot(alerts: [report])
    snapshot.user.profile.phone = nil
    change(&snapshot)
    return report.bannerText(in: snapshot)
  }

  private func lines(
    _ report: AlertReport, _ change: (inout AccountSnapshot) -> Void = { _ in }
  ) -> [String] {
    var snapshot = Sample.snapshot(alerts: [report])
    change(&snapshot)
    return snapshot.outcome(of: report).people.map {
      "\($0.mark) \($0.name): \($0.text(in: snapshot))"
    }
  }

  @Test("NOT-3: mail that no monitor can send is shown as waiting, even if ntfy was sent")
  func blockedChannel() {
    let report = report([delivery(.sent, channel: .ntfy), delivery(.pending)])
    let lines = lines(report) {
      $0.contacts = [Sample.reachable, Sample.grace]
      $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up", failingKinds: [.email])
    }
    #expect(lines.contains { $0.hasSuffix("· mail waits") }, "\(lines)")
  }

  @Test("NOT-3: on a narrow screen the alert banner counts who is responding and stays on one line")
  func narrow() {
    let sent = report(
      [delivery(.sent), delivery(.sent, to: Sample.alan)], responding: [Sample.grace])
    #expect(
      sent.bannerText(in: Sample.snapshot(alerts: [sent]), isNarrow: true)
        == "ALERT ON 08:00 · sent to 2 of 2 · 1 responding")
  }

  @Test("ALT-3: emergency numbers to call never wrap across two lines")
  func unbroken() {
    var snapshot = Sample.snapshot()
    snapshot.user.profile.phone = "+442071838750"
    let text = snapshot.callText()
    #expect(snapshot.emergencyNumber == "999\u{A0}or\u{A0}112")
    for columns in 16...80 {
      #expect(text.wrapped(to: columns).contains { $0.contains("999\u{A0}or\u{A0}112") })
    }
  }

  @Test("NOT-3: the alert banner counts people, not messages, and names who is responding")
  func banner() {
    #expect(banner(report([])) == "ALERT ON 08:00 · sending to 2")
    let both = [delivery(.sent), delivery(.sent, to: Sample.alan)]
    #expect(banner(report(both)) == "ALERT ON 08:00 · sent to 2 of 2")
    // Two messages to one person count as one person.
    let twice = [delivery(.sent), delivery(.sent, channel: .ntfy)]
    #expect(
      banner(report(twice + [delivery(.pending, to: Sample.alan)]))
        == "ALERT ON 08:00 · sent to 1 of 2")
    #expect(
      banner(report(both, responding: [Sample.grace]))
        == "ALERT ON 08:00 · sent to 2 of 2 · Grace Hopper is responding")
    #expect(
      banner(report(both, responding: [Sample.grace, Sample.alan]))
        == "ALERT ON 08:00 · sent to 2 of 2 · 2 are responding")
  }

  @Test(
    "NOT-3: if nothing was sent, the banner says so first, with the reason and a number to call")
  func notSent() {
    let call = "call Alan Turing +44\u{A0}1632\u{A0}960961, or 112"
    let failed = delivery(.failed, error: "550 no such user.")
    let retried = delivery(.pending, to: Sample.alan, error: "The mail server doesn't answer.")
    #expect(
      banner(report([failed, retried]))
        == "ALERT ON · NOT SENT YET: The mail server doesn't answer · \(call)")
    let watch = WatchStatus(monitors: 1, problem: "mail is not set up")
    #expect(
      banner(report([])) { $0.watch = watch }
        == "ALERT ON · NOT SENT YET: mail is not set up · \(call)")
    #expect(
      banner(report([])) { $0.contacts = [] }
        == "ALERT ON · NOT SENT YET: you have no responders · call 112")
    #expect(
      banner(report([failed, delivery(.pending, to: Sample.alan)]))
        == "ALERT ON 08:00 · sending to 2", "The first attempt goes on.")
    // A person who responds knows of the alert, even if the message failed.
    #expect(
      banner(report([failed], responding: [Sample.grace])) { $0.watch = watch }
        .hasPrefix("ALERT ON 08:00"))
    #expect(
      banner(report([failed, delivery(.sent, to: Sample.alan)]))
        == "ALERT ON 08:00 · sent to 1 of 2")
  }

  @Test("NOT-3: the banner cuts a long failure reason or name so that the number to call is shown")
  func longReason() {
    let failed = delivery(.failed, error: String(repeating: "no route ", count: 60))
    let banner = banner(report([failed])) {
      $0.contacts[0].name = String(repeating: "Wolfeschlegelstein", count: 9)
    }
    #expect(banner.count < 200 && banner.hasSuffix("… +44\u{A0}1632\u{A0}960961, or 112"))
  }

  @Test("ALT-3: a responder's line shows what was sent, what failed and why, and if they respond")
  func people() {
    let deliveries = [
      delivery(.sent, to: Sample.alan, after: 60),
      delivery(.failed, to: Sample.alan, channel: .ntfy, error: "404 gone."),
      delivery(.sent), delivery(.pending, channel: .webhook, error: "no answer", after: 120),
    ]
    #expect(
      lines(report(deliveries, responding: [Sample.grace])) == [
        "✓ Grace Hopper: mail sent 08:00 · responding since 08:02",
        "✓ Alan Turing: mail sent 08:01 · ntfy failed: 404 gone",
      ])
    #expect(
      lines(report([delivery(.pending), delivery(.cancelled, to: Sample.alan)])) == [
        "… Grace Hopper: mail sending", "… Alan Turing: no message yet",
      ])
    #expect(
      lines(report([delivery(.pending, error: "no answer.", after: 120)]))
        == ["✗ Grace Hopper: mail retrying 08:02: no answer"])
  }

  @Test(
    "PAGE-1: after a responder withdraws, their line and the alert banner say so")
  func withdrawn() {
    let both = [delivery(.sent), delivery(.sent, to: Sample.alan)]
    let gone = report(both, withdrawn: [Sample.grace])
    #expect(
      lines(gone) == [
        "– Grace Hopper: mail sent 08:00 · withdrew 08:04", "✓ Alan Turing: mail sent 08:00",
      ])
    #expect(banner(gone) == "ALERT ON 08:00 · sent to 2 of 2 · nobody is responding")
    #expect(
      gone.bannerText(in: Sample.snapshot(alerts: [gone]), isNarrow: true)
        == "ALERT ON 08:00 · sent to 2 of 2 · nobody responding")
    let other = report(both, responding: [Sample.alan], withdrawn: [Sample.grace])
    #expect(banner(other) == "ALERT ON 08:00 · sent to 2 of 2 · Alan Turing is responding")
    // Removing a responder doesn't count as withdrawing.
    #expect(
      lines(gone) { $0.contacts = [Sample.alan] }.first == "✓ Grace Hopper: mail sent 08:00")
  }

  @Test("ESC-2, NOT-3: while nobody responds, an alert says so and when messages are repeated")
  func waiting() {
    func text(
      _ report: AlertReport, _ change: (inout AccountSnapshot) -> Void = { _ in }
    ) -> String? {
      var snapshot = Sample.snapshot(alerts: [report])
      snapshot.watch = WatchStatus(monitors: 1)
      snapshot.now = Sample.now + .minutes(90)
      change(&snapshot)
      return report.waitText(in: snapshot)
    }
    let sent = [delivery(.sent)]
    #expect(text(report(sent)) == "Nobody has answered yet. Messages are repeated at 10:00.")
    #expect(
      text(report(sent)) { $0.user.repeatInterval = .minutes(20) }
        == "Nobody has answered yet. Messages are repeated at 09:40.")
    #expect(
      text(report(sent, withdrawn: [Sample.grace]))
        == "Nobody is responding now. Messages are repeated at 10:00.")
    #expect(
      text(report(sent)) { $0.now = Sample.now + .hours(48) }
        == "Nobody has answered yet. Messages are not repeated any more.")
    // Without a known working monitor, nothing is promised.
    let changes: [(inout AccountSnapshot) -> Void] = [
      { $0.watch = WatchStatus(monitors: 0) }, { $0.watch = nil },
      { $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up") },
      { $0.note(StorageError.busy.text, of: .watch, at: Sample.now) },
    ]
    for change in changes { #expect(text(report(sent), change) == "Nobody has answered yet.") }
    // Someone may have answered since the server's last answer.
    #expect(text(report(sent)) { $0.connection = .reconnecting(asOf: Sample.now) } == nil)
    #expect(text(report(sent, responding: [Sample.grace])) == nil)
    #expect(text(report([delivery(.pending)])) == nil, "the banner says that nobody has it")
    var over = report(sent)
    over.alert.resolvedAt = Sample.now
    #expect(text(over) == nil)
    var drill = report(sent)
    drill.alert.kind = .drill
    #expect(text(drill) == nil)
  }

  @Test("ALT-7: each responder's line shows the result of the newest text added to the alert")
  func secondMessage() {
    let (first, second) = (Stage.alertNote(Sample.id(70)), Stage.alertNote(Sample.id(71)))
    let report = report([
      delivery(.sent), delivery(.sent, to: Sample.alan), delivery(.sent, stage: first, after: 60),
      delivery(.sent, stage: second, after: 120),
      delivery(.failed, stage: second, channel: .ntfy, error: "404 gone", after: 120),
      delivery(.failed, to: Sample.alan, stage: second, error: "550 no.", after: 120),
    ])
    #expect(
      lines(report) == [
        "✓ Grace Hopper: mail sent 08:00 · your message sent 08:02",
        "✓ Alan Turing: mail sent 08:00 · your message failed: 550 no",
      ])
  }

  @Test("NOT-3: a message that was sent stays shown as sent while its repeat is retried")
  func again() {
    let repeated = [
      delivery(.sent), delivery(.pending, stage: .alertOnAgain(1), error: "no answer", after: 60),
    ]
    #expect(lines(report(repeated)) == ["✓ Grace Hopper: mail sent 08:00"])
  }

  @Test("ALT-3: all responders are listed before the first message; one without a channel stays")
  func everyone() {
    #expect(lines(report([])) == ["… Alan Turing: sending", "… Grace Hopper: sending"])
    let mute: (inout AccountSnapshot) -> Void = { $0.contacts[0].channels = [] }
    #expect(
      lines(report([delivery(.sent)]), mute) == [
        "✓ Grace Hopper: mail sent 08:00", "✗ Alan Turing: no channel to send to",
      ])
    #expect(
      banner(report([delivery(.sent)]), mute) == "ALERT ON 08:00 · sent to 1 of 2")
  }
}

@MainActor struct UnguardedTests {
  @Test("SCREENS: a warning that nobody would be notified takes the place of “All is well”")
  func headline() {
    for (problem, text) in [
      (WatchStatus(monitors: 0), "! Nobody would be notified: no monitor is running"),
      (
        WatchStatus(monitors: 1, problem: "mail is not set up"),
        "! Nobody would be notified: mail is not set up"
      ),
    ] {
      let store = Screen.store(Screen.signedIn { $0.watch = problem })
      let lines = Screen.lines(store)
      #expect(
        lines.contains { $0.contains(text) } && !lines.contains { $0.contains("All is well") })
    }
    let refused = AlertReport(
      alert: Alert(
        id: Sample.id(92), kind: .manual, raisedAt: Sample.now - .days(1),
        resolvedAt: Sample.now - .days(1)),
      deliveries: [Sample.grace, Sample.alan].map { contact in
        DeliveryReport(
          id: UUID(), stage: .alertOn, recipientID: .contact(contact.id), recipient: contact.name,
          channel: .email, address: contact.channels[0].address, state: .failed,
          date: Sample.now - .days(1))
      })
    let all = Screen.lines(Screen.store(Screen.signedIn { $0.alerts = [refused] }))
    #expect(all.contains { $0.contains("! Nobody would be notified: every message is refused") })
    let mute = Screen.lines(
      Screen.store(
        Screen.signedIn { for index in $0.contacts.indices { $0.contacts[index].channels = [] } }))
    #expect(mute.contains { $0.contains("! Nobody would be notified: no responder has a channel") })
    let unsent = [Sample.grace, Sample.alan].flatMap(\.channels).map { channel in
      let report = DeliveryReport(
        id: UUID(), stage: .channelTest(UUID()), recipientID: .owner, recipient: "",
        channel: channel.kind,
        address: channel.address, state: .pending, date: Sample.now, error: "no connection")
      return (channel.id, report)
    }
    let failing = Screen.lines(
      Screen.store(
        Screen.signedIn {
          $0.channels = ChannelOverview(last: Dictionary(uniqueKeysWithValues: unsent))
        }))
    #expect(
      failing.contains {
        $0.contains("! Nobody would be notified: the last messages couldn't be sent")
      })
    // The countdown doesn't promise it either (ALT-7).
    let counting = Screen.lines(
      Screen.store(
        Screen.changing(
          Screen.signedIn {
            $0.channels = ChannelOverview(last: Dictionary(uniqueKeysWithValues: unsent))
          }
        ) { $0.main?.emergency.begin(EmergencyFeature.Armed(Sample.id(1), secondsLeft: 4)) })
    ).joined(separator: " ")
    #expect(counting.contains("the last messages couldn't be sent. Call"))
    #expect(!counting.contains("when this reaches zero"))
    #expect(!failing.contains { $0.contains("All is well") || $0.contains("If missed") })
    let half = Screen.lines(
      Screen.store(
        Screen.signedIn {
          $0.channels = ChannelOverview(last: Dictionary(uniqueKeysWithValues: unsent.dropLast()))
        }))
    #expect(half.contains { $0.contains("All is well") }, "another channel may carry it")
    // The watch mark is green only if someone would be notified.
    #expect(half[0].contains("● watched") && failing[0].contains("◐ watched"))
    let alone = Screen.lines(Screen.store(Screen.signedIn { $0.contacts = [] }))
    #expect(alone[0].contains("◐ watched"))
    #expect(alone.contains { $0.contains("! Nobody would be notified") })
    #expect(!alone.contains { $0.contains("All is well") })
  }

  @Test("ESC-1: after the deadline the screen says who is notified instead of “If missed”")
  func overdue() {
    let lines = Screen.lines(
      Screen.store(Screen.signedIn { $0.user.lastCheckIn = Sample.now - .minutes(24 * 60 + 5) }))
    #expect(lines.contains { $0.contains("notified") && $0.contains("unless you check in") })
    #expect(!lines.contains { $0.contains("If missed") })
  }

  @Test("SCREENS: panel and button take the danger colour if overdue or if no monitor is running")
  func colours() {
    func roles(_ change: (inout AccountSnapshot) -> Void) -> [Color] {
      let frame = Screen.frame(Screen.store(Screen.signedIn(change)))
      let button = frame.lines.firstIndex { $0.contains("c  Check in now") } ?? 0
      return [
        frame[0, 1].style.foreground, frame[22, 4].style.foreground,
        frame[40, button].style.background,
      ]
    }
    let theme = Theme.dark
    let calm = roles { _ in }
    #expect(calm[0] == theme[.calm].foreground && calm[2] == theme.filled(.calm).background)
    let overdue = roles { $0.user.lastCheckIn = Sample.now - .hours(25) }
    #expect(overdue[0] == theme[.danger].foreground)
    #expect(overdue[2] == theme.filled(.danger).background)
    let unwatched = roles { $0.watch = WatchStatus(monitors: 0) }
    #expect(unwatched == overdue.enumerated().map { $0.offset == 1 ? unwatched[1] : $0.element })
    #expect(calm[1] == theme[.calm].foreground && unwatched[1] == theme[.danger].foreground)
  }
}

@MainActor struct ResponderReachTests {
  private func reach(_ contact: Contact, _ change: (inout AccountSnapshot) -> Void = { _ in })
    -> (last: String, role: ThemeRole)
  {
    var snapshot = Sample.snapshot()
    change(&snapshot)
    let reach = snapshot.situation.reach(of: contact, snapshot.channels)
    return (reach.text(in: snapshot), reach.mark.role)
  }

  private func report(_ state: DeliveryState, hours: Int = 1) -> DeliveryReport {
    DeliveryReport(
      id: Sample.id(90), stage: .contactAdded, recipientID: .contact(Sample.grace.id),
      recipient: "Grace Hopper", channel: .email, address: "grace@navy.example", state: state,
      date: Sample.now - .hours(hours), error: state == .sent ? nil : "550 no such user")
  }

  @Test("SCREENS: a responder's row shows how the last message went, or that no channel is set")
  func lines() {
    let channel = Sample.grace.channels[0].id
    #expect(reach(Sample.grace).last == "never tried")
    let panel = FrameSnapshot.lines(
      of: RespondersPanel(snapshot: Sample.snapshot(contacts: [Sample.grace])),
      size: Size(columns: 60, rows: 4))
    #expect(panel.contains { $0.contains("Grace Hopper") && $0.contains("mail") }, "\(panel)")
    let sent = reach(Sample.grace) { $0.channels.last[channel] = report(.sent) }
    #expect(sent.last == "sent today 07:00" && sent.role == .calm)
    let old = reach(Sample.grace) { $0.channels.last[channel] = report(.sent, hours: 48) }
    #expect(old.last == "sent Thu")
    let failed = reach(Sample.grace) { $0.channels.last[channel] = report(.failed) }
    #expect(failed.last == "not sent" && failed.role == .danger)
    var two = Sample.grace
    two.channels.append(Channel(id: Sample.id(89), kind: .ntfy, address: "https://ntfy.sh/grace"))
    #expect(reach(two) { $0.channels.last[channel] = report(.failed) }.last == "not sent")
    let refused = reach(Sample.grace) {
      $0.alerts = [
        AlertReport(
          alert: Sample.alert,
          deliveries: [
            DeliveryReport(
              id: Sample.id(91), stage: .alertOn, recipientID: .contact(Sample.grace.id),
              recipient: "Grace Hopper", channel: .email, address: "grace@navy.example",
              state: .failed, date: Sample.now)
          ])
      ]
    }
    #expect(refused.last == "refused" && refused.role == .danger)
    var mute = Sample.grace
    mute.channels = []
    #expect(reach(mute).last == "no channel" && reach(mute).role == .danger)
  }
}
