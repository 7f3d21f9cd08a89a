import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

/// Lists keep what their rows drew (decision 138). What a person sees must not depend on it.
@MainActor @Suite struct KeptFramesTests {
  /// The main screens, the palette and the history: the keys that open one, and those pressed in it.
  nonisolated static let screens: [(opening: [KeyPress], keys: [KeyPress])] = [
    (["1"], ["tab", "tab"]), (["2"], filtering), (["3"], filtering + ["s"]),
    (["4"], filtering + ["f", "f", "u", "u"]), (["5"], []), (["1", "h"], []),
    ([":"], ["p", "i", "n", "g", "m", "backspace", "backspace", "backspace", "backspace"]),
  ]

  nonisolated static let filtering: [KeyPress] = [
    "/", "a", "backspace", "e", "enter", "down", "/", "esc", "?", "esc",
  ]

  @Test(
    "On every main screen, each frame shows what it would if no row of a list had been kept",
    arguments: screens)
  func sameFrames(_ screen: (opening: [KeyPress], keys: [KeyPress])) {
    let app = OpenApp()
    for key in screen.opening { app.press(key) }
    let keys = screen.keys.map { key in Step("\(key)") { $0.press(key) } }
    for step in keys + Step.moves + Step.looks + Step.changes {
      step.perform(app)
      // In the second, all rows are kept.
      for frame in 1...2 {
        guard app.showsWhatItShould() else {
          Issue.record("\(screen.opening), frame \(frame) after: \(step.name)\n\(app.difference)")
          return
        }
      }
    }
  }

  /// Something that happens to the app.
  private struct Step {
    let name: String
    let perform: @MainActor (OpenApp) -> Void

    init(_ name: String, perform: @escaping @MainActor (OpenApp) -> Void) {
      (self.name, self.perform) = (name, perform)
    }

    static func contacts(_ name: String, _ change: @escaping @MainActor (inout Contact) -> Void)
      -> Step
    {
      Step(name) { app in
        var contacts = app.snapshot.contacts
        for index in contacts.indices { change(&contacts[index]) }
        app.store.send(.changed(.contacts(contacts)))
      }
    }

    static func notifications(
      _ name: String, _ change: @escaping @MainActor (inout NotificationItem) -> Void
    ) -> Step {
      Step(name) { app in
        var items = app.snapshot.notifications
        for index in items.indices { change(&items[index]) }
        app.store.send(.changed(.notifications(items)))
      }
    }

    static func checkIns(_ name: String, _ change: @escaping @MainActor (inout CheckIn) -> Void)
      -> Step
    {
      Step(name) { app in
        var history = app.snapshot.history
        for index in history.indices { change(&history[index]) }
        app.store.send(.changed(.history(history)))
      }
    }

    static let moves = (["down", "down", "pagedown", "up", "end", "home", "down"] as [KeyPress])
      .map { key in Step("\(key)") { $0.press(key) } }

    static let looks = [
      Step("light") { $0.host.theme = .light },
      Step("16 colours") { $0.host.colorDepth = .ansi16 },
      Step("ASCII") { $0.host.glyphs = .ascii },
      Step("true colours") { $0.host.colorDepth = .trueColor },
      Step("Unicode") { $0.host.glyphs = .unicode },
      Step("hyperlinks") { $0.host.features = .hyperlinks },
      Step("wide") { $0.size = Size(columns: 120, rows: 40) },
      Step("narrow") { $0.size = Size(columns: 60, rows: 18) },
      Step("too small") { $0.size = Size(columns: 59, rows: 17) },
      Step("wide again") { $0.size = Size(columns: 120, rows: 40) },
    ]

    static let changes =
      [
        .contacts("a name") { $0.name = "\($0.name.dropLast())×" },
        .contacts("a number") { $0.phone = $0.phone == nil ? "+4420718387" : nil },
        .contacts("a note") { $0.note += "!" },
        .contacts("a channel") {
          if !$0.channels.isEmpty { $0.channels[0].address = "new.\($0.channels[0].address)" }
        },
        .contacts("pings") {
          $0.link?.receivedPing = Ping(id: Sample.id(202), sentAt: Sample.now)
          $0.link?.sentPing = Ping(id: Sample.id(202), sentAt: Sample.now - .hours(2))
        },
        Step("a second") { $0.pass(.seconds(1)) }, Step("a minute") { $0.pass(.minutes(1)) },
        Step("an hour") { $0.pass(.hours(1)) },
        Step("the end of a ping") { $0.pass(.hours(22)) }, Step("a day") { $0.pass(.days(1)) },
        .contacts("answers") {
          $0.link?.receivedPing = nil
          $0.link?.sentPing?.state = .answered
        },
        .contacts("check-ins") { $0.link?.dependentStatus?.lastCheckIn = Sample.now + .hours(25) },
        .contacts("a pause") {
          $0.link?.dependentStatus?.pausedUntil = Sample.now + .days(3)
        },
        .contacts("alerts") {
          $0.link?.dependentStatus?.alert = Alert(
            id: Sample.id(203), kind: .manual, raisedAt: Sample.now)
        },
        .contacts("helpers") {
          $0.link?.dependentStatus?.alert?.acknowledgements = [
            Acknowledgement(responder: Sample.id(204), name: "Ada", date: Sample.now)
          ]
        },
        Step("refusals") { app in
          let refused = Alert(
            id: Sample.id(200), kind: .manual, raisedAt: Sample.now, resolvedAt: Sample.now)
          app.store.send(.changed(.alerts([app.report(refused, .failed)])))
        },
        Step("no mail") { app in
          app.store.send(.changed(.alerts([])))
          app.store.send(
            .changed(
              .watch(
                WatchStatus(
                  monitors: 1, lastSeen: app.now.value, problem: "mail is not set up",
                  failingKinds: [.email]))))
        },
        Step("mail") {
          $0.store.send(.changed(.watch(WatchStatus(monitors: 1, lastSeen: $0.now.value))))
        },
        Step("an own alert") {
          $0.store.send(.changed(.alerts([$0.report(Sample.alert, .pending)])))
        },
        Step("it is answered") { app in
          var alert = Sample.alert
          alert.message = "broke a leg"
          alert.acknowledgements = [
            Acknowledgement(responder: Sample.grace.id, name: "Grace", date: Sample.now)
          ]
          app.store.send(.changed(.alerts([app.report(alert, .sent)])))
        },
        .notifications("all are read") { $0.isRead = true },
        .notifications("another person") { $0.subject = "Zoë" },
        .notifications("another text") { $0.detail = "\($0.detail)." },
        Step("a check-in") { app in
          let checkIn = CheckIn(
            id: Sample.id(201), date: app.now.value, source: .link, sequence: 30,
            margin: .minutes(5))
          app.store.send(.changed(.history([checkIn] + app.snapshot.history)))
        },
        .checkIns("other margins") { $0.margin = .minutes(-3) },
        .checkIns("received late") { $0.receivedAt = Sample.now + .days(3) },
        Step("a month") { $0.pass(.days(31)) },
      ] + moves
  }
}

/// The app with enough people, messages and check-ins for lists to scroll.
@MainActor
private final class OpenApp {
  let store: StoreOf<AppFeature>
  let host = ViewHost()
  let now = MovedDate()
  var size = Size(columns: 80, rows: 24)
  private(set) var difference = ""

  init() {
    let state = Screen.signedIn { snapshot in
      snapshot.contacts = Sample.relations + [Sample.alan, Sample.grace, Sample.reachable]
      snapshot.contacts += (0..<30).map(Self.contact)
      snapshot.notifications = Screen.notifications
      snapshot.notifications += (0..<40).map(Self.notification)
    }
    store = Store(initialState: state) {
      AppFeature()
    } withDependencies: { [now] in
      AppFeatureTests.quiet(&$0)
      $0.dateClient = DateClient(now: { now.value }, calendar: .utc)
      $0.continuousClock = TestClock()
      $0.checkInClient.historySince = { _ in [] }
    }
  }

  private static func contact(_ number: UInt8) -> Contact {
    Contact(
      id: Sample.id(210 + number), name: "Person \(10 + number)", roles: [.responder, .dependent],
      channels: [
        Channel(id: Sample.id(170 + number), kind: .email, address: "\(number)@example.org")
      ], addedAt: Sample.now)
  }

  private static func notification(_ number: UInt8) -> NotificationItem {
    NotificationItem(
      id: Sample.id(100 + number), kind: .pingReceived,
      date: Sample.now - .hours(100 + Int(number)), isRead: number % 2 == 0,
      subject: "Person \(number)")
  }

  var snapshot: AccountSnapshot { store.main!.snapshot }

  func press(_ key: KeyPress) {
    _ = host.render(AppView(store: store), size: size)
    host.dispatch(.key(key))
  }

  func pass(_ time: TimeSpan) {
    now.pass(time)
    store.send(.ticked)
  }

  /// Draws a frame, and compares it with one of a host that hasn't drawn anything before.
  func showsWhatItShould() -> Bool {
    let fresh = ViewHost(theme: host.theme, colorDepth: host.colorDepth)
    (fresh.glyphs, fresh.features) = (host.glyphs, host.features)
    let expected = fresh.frame(AppView(store: store), size: size)
    let frame = host.frame(AppView(store: store), size: size)
    difference = zip(frame.lines, expected.lines).first(where: !=).map { "\($0)\n\($1)" } ?? ""
    return frame == expected
  }

  /// An alert whose messages to the responders with an address have an outcome.
  func report(_ alert: Alert, _ state: DeliveryState) -> AlertReport {
    AlertReport(
      alert: alert,
      deliveries: snapshot.contacts.flatMap { contact in
        contact.channels.map { channel in
          DeliveryReport(
            id: channel.id, stage: .alertOn, recipientID: .contact(contact.id),
            recipient: contact.name, channel: channel.kind, address: channel.address, state: state,
            date: Sample.now)
        }
      })
  }
}

/// A date that the test moves.
private final class MovedDate: Sendable {
  private let date = Mutex(Sample.now)
  var value: Date { date.withLock(\.self) }
  func pass(_ time: TimeSpan) { date.withLock { $0 = $0 + time } }
}
