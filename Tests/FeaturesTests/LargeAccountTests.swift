import AllocationCounter
import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

/// Frames and keys must cost the same for 10,000 contacts as for 300: whatever concerns all contacts
/// is judged once per change (`Situation`). Allocations are counted, because time varies.
@MainActor @Suite(.serialized) struct LargeAccountTests {
  /// What is known about the responders, which decides what a frame looks at.
  enum Case: CaseIterable {
    /// Messages reach everyone.
    case calm
    /// Mail isn't set up, so that monitors leave out most responders.
    case withoutMail
    /// An earlier alert's messages were refused by every second responder.
    case refused
    /// An alert is on, and its messages were sent to every second responder.
    case alert
    /// A deadline was missed, with messages as above.
    case missed
  }

  /// The numbers of contacts compared, both with pages left to scroll to: at the end of a list, a key
  /// changes no row. A tenth have accounts, and two thirds are responders.
  private static let counts = (small: 300, large: 10_000)

  @Test(
    "A frame, a key press and a tick allocate as much for 10,000 contacts as for 300",
    arguments: Case.allCases)
  func costs(_ it: Case) {
    let small = OpenApp(it, contacts: Self.counts.small)
    let large = OpenApp(it, contacts: Self.counts.large)
    for (tab, keys) in OpenApp.keys {
      for app in [small, large] { app.open(tab) }
      for work in [.frame, .tick] + keys.map(OpenApp.Work.key) {
        let costs = (small.cost(of: work), large.cost(of: work))
        // Larger numbers take more digits, which makes some texts too long for inline storage.
        let limit = costs.0 + costs.0 / 8 + 64
        #expect(
          costs.1 <= limit, "\(it), \(tab.title), \(work): \(costs.1) instead of \(costs.0)")
        #expect(costs.0 > 100, "the counter counts")
      }
    }
  }

  @Test("A repeated monitor report allocates as much for 10,000 contacts as for 300")
  func reports() {
    let costs = [Self.counts.small, Self.counts.large].map { count in
      var snapshot = OpenApp.snapshot(.alert, contacts: count)
      let before = allocation_count()
      snapshot.watch?.lastSeen = Sample.now + .seconds(10)
      return allocation_count() - before
    }
    #expect(costs[0] == costs[1])
  }
}

/// The app in this process, with the contacts of a test, drawn after each event.
@MainActor
private final class OpenApp {
  private let store: StoreOf<AppFeature>
  private let host = ViewHost()

  init(_ it: LargeAccountTests.Case, contacts: Int) {
    var state = AppFeature.State()
    state.main = MainTabFeature.State(snapshot: Self.snapshot(it, contacts: contacts))
    store = Store(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      $0.continuousClock = TestClock()
    }
  }

  /// Keys that change what a tab shows and, pressed again, change it back or go on.
  static let keys: [(MainTabFeature.Tab, [KeyPress])] = [
    (.checkIn, ["tab", "?"]), (.responders, ["down", "pagedown", "?"]),
    (.dependents, ["down", "pagedown", "?"]), (.alerts, ["down", "u"]), (.profile, ["down", "?"]),
  ]

  /// What is measured on a tab.
  enum Work: CustomStringConvertible {
    case frame, tick
    case key(KeyPress)

    var description: String {
      switch self {
      case .frame: "a frame"
      case .tick: "a tick"
      case .key(let key): "\(key)"
      }
    }
  }

  func perform(_ work: Work) {
    switch work {
    case .frame: break
    case .tick: store.send(.ticked)
    case .key(let key): _ = host.dispatch(.key(key))
    }
    draw()
  }

  func open(_ tab: MainTabFeature.Tab) {
    store.send(.keysClosed)
    store.send(.main(.tabSelected(tab)))
    draw()
  }

  func draw() { _ = host.render(AppView(store: store), size: Size(columns: 120, rows: 40)) }

  /// Returns the fewest allocations of some attempts: buffers grow now and then.
  func cost(of work: Work) -> Int64 {
    (0..<4).map { _ in
      let before = allocation_count()
      perform(work)
      return allocation_count() - before
    }.min()!
  }

  static func snapshot(_ it: LargeAccountTests.Case, contacts count: Int) -> AccountSnapshot {
    let contacts = (0..<count).map(contact)
    let responders = contacts.filter { $0.isResponder && $0.link == nil }
    var snapshot = Sample.snapshot(contacts: contacts)
    snapshot.watch = WatchStatus(monitors: 1, lastSeen: Sample.now)
    switch it {
    case .calm: break
    case .withoutMail:
      snapshot.watch = WatchStatus(
        monitors: 1, lastSeen: Sample.now, problem: "mail is not set up", failingKinds: [.email])
    case .refused:
      var alert = Sample.alert
      alert.resolvedAt = Sample.now
      snapshot.alerts = [report(alert, to: responders, others: .failed)]
    case .alert: snapshot.alerts = [report(Sample.alert, to: responders, others: .pending)]
    case .missed:
      snapshot.user.lastCheckIn = Sample.now - .hours(26)
      let alert = Alert(id: Sample.id(7), kind: .missed, raisedAt: Sample.now, sequence: 1)
      snapshot.alerts = [report(alert, to: responders, others: .pending)]
    }
    return snapshot
  }

  private static func contact(_ number: Int) -> Contact {
    let name = "Person \(10_000 + number)"
    let roles = Roles(rawValue: number % 3 + 1)
    guard number % 10 == 0 else {
      return Contact(
        id: id(number, 1), name: name, phone: "+44207\(1_000_000 + number)", roles: roles,
        channels: [Channel(id: id(number, 2), kind: .email, address: "\(number)@example.org")],
        addedAt: Sample.now)
    }
    return Contact(
      id: id(number, 1), name: name, roles: roles, addedAt: Sample.now,
      link: AccountLink(
        user: id(number, 3), state: .active,
        dependentStatus: DependentStatus(
          interval: .standard, lastCheckIn: Sample.now - .hours(2), grace: .minutes(15))))
  }

  private static func report(
    _ alert: Alert, to responders: [Contact], others state: DeliveryState
  ) -> AlertReport {
    AlertReport(
      alert: alert,
      deliveries: responders.enumerated().map { index, contact in
        DeliveryReport(
          id: id(index, 4), stage: alert.kind == .missed ? .nonResponsive : .alertOn,
          recipientID: .contact(contact.id), recipient: contact.name, channel: .email,
          address: contact.channels[0].address, state: index % 2 == 0 ? .sent : state,
          date: Sample.now)
      })
  }

  private static func id(_ number: Int, _ kind: UInt8) -> UUID {
    let bytes = (UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    return UUID(uuid: (kind, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, bytes.0, bytes.1))
  }
}
