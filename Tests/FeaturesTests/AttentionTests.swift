import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Features

/// NOT-2: which notifications call the person to the screen, and when.
@MainActor @Suite struct AttentionTests {
  let calls = LockedCalls()

  func makeStore() -> TestStoreOf<AppFeature> {
    TestStore(initialState: AppFeature.State.signedIn()) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
      $0.attentionClient = AttentionClient { [calls] title, text, rings in
        calls.add("\(title): \(text)\(rings ? "" : " (quiet)")")
      }
    }
  }

  func item(
    _ number: UInt8, _ kind: NotificationItem.Kind, subject: String = "", detail: String = "",
    isRead: Bool = false
  ) -> NotificationItem {
    NotificationItem(
      id: Sample.id(number), kind: kind, date: Sample.now, isRead: isRead, subject: subject,
      detail: detail)
  }

  func show(_ items: [NotificationItem], in store: TestStoreOf<AppFeature>) async {
    let isKnown = store.state.knownNotifications == Set(items.map(\.id))
    guard !isKnown || store.state.main?.snapshot.notifications != items else {
      await store.send(.changed(.notifications(items)))
      return
    }
    let now = store.dependencies.dateClient.now()
    await store.send(.changed(.notifications(items))) {
      $0.show {
        $0.notifications = items
        $0.now = now
      }
      $0.knownNotifications = Set(items.map(\.id))
    }
  }

  @Test("NOT-2: a new urgent notification calls the user once; those loaded at start never do")
  func once() async {
    let store = makeStore()
    let old = item(1, .nonResponsive)
    await show([old], in: store)
    let alert = item(2, .dependentAlert, subject: "Mary", detail: "fell on the stairs")
    await show([alert, old], in: store)
    await show([alert, old], in: store)
    await show([item(3, .pingReceived, subject: "Mary"), alert, old], in: store)
    await store.skipInFlightEffects()
    #expect(calls.all == ["LifeSignal: Mary needs help: fell on the stairs"])
  }

  @Test(
    "NOT-2: with the focus only urgent notifications ring; without it others appear silently"
  )
  func focus() async {
    let store = makeStore()
    await show([], in: store)
    let urgent = item(1, .dependentAlert, subject: "Mary")
    let ping = item(2, .pingReceived, subject: "Paul")
    let low = item(3, .contactAccepted, subject: "Ida")
    await show([ping, urgent, low], in: store)
    await store.send(.activeChanged(false)) { $0.isActive = false }
    let others = [
      item(4, .dependentAlert, subject: "Mary"), item(5, .pingReceived, subject: "Eve"),
    ]
    await show(others + [item(6, .contactAccepted), ping, urgent, low], in: store)
    await store.send(.activeChanged(true)) { $0.isActive = true }
    await show([item(7, .pingReceived, subject: "Bo")] + others, in: store)
    await store.skipInFlightEffects()
    #expect(
      calls.all == [
        "LifeSignal: Mary needs help", "LifeSignal: Eve asks you to check in (quiet)",
        "LifeSignal: Mary needs help",
      ])
  }

  @Test(
    "NOT-2: the first update after cached notifications calls only for those since the start",
    arguments: [true, false], [TimeSpan.zero, .minutes(-5), .minutes(5)])
  func lastKnown(isSince: Bool, clockLead: TimeSpan) async {
    let store = makeStore()
    let known = item(1, .info)
    await store.send(.changed(.lastNotifications([known]))) {
      $0.show { $0.expect([known]) }
      $0.newNotificationsStart = Sample.now - .seconds(30)
    }
    // The first answer says by how much the clock is wrong.
    store.dependencies.connectionClient.clockLead = { clockLead }
    store.dependencies.dateClient.now = { Sample.now + clockLead }
    var missed = item(2, .dependentAlert, subject: "Mary")
    missed.date = Sample.now + clockLead - .seconds(isSince ? 30 : 31)
    var acknowledged = item(3, .alertAcknowledged, subject: "Grace")
    acknowledged.date = Sample.now - .minutes(20)
    await show([missed, acknowledged, known], in: store)
    #expect(store.state.toast == nil)
    // After the first update, dates no longer matter.
    var late = item(4, .dependentAlert, subject: "Paul")
    late.date = Sample.now - .hours(1)
    await show([late, missed, acknowledged, known], in: store)
    // The cached notifications arrive late, after the current ones.
    await store.send(.changed(.lastNotifications([known])))
    await store.skipInFlightEffects()
    #expect(
      calls.all
        == (isSince ? ["LifeSignal: Mary needs help"] : []) + ["LifeSignal: Paul needs help"])
  }

  @Test("NOT-2: a notification that is already read or reappears doesn't call the user")
  func quiet() async {
    let store = makeStore()
    let (first, second) = (item(1, .info), item(2, .info))
    await show([second, first], in: store)
    await show([item(3, .alertSent, isRead: true), second, first], in: store)
    // An older notification moves up because another was deleted.
    await show([second, first, item(4, .nonResponsive)], in: store)
    await store.skipInFlightEffects()
    #expect(calls.all == [])
  }

  @Test("NOT-2: of several new notifications, the oldest calls the user first")
  func several() async {
    let store = makeStore()
    await show([], in: store)
    await show([item(2, .nonResponsive), item(1, .deadlinePassed)], in: store)
    await store.skipInFlightEffects()
    #expect(
      calls.all == [
        "LifeSignal: Your deadline has passed: check in now",
        "LifeSignal: You missed your deadline and its grace time",
      ])
  }

  @Test(
    "ESC-2, PAGE-1: a responder's answer or withdrawal shows a brief message",
    arguments: [
      (.alertAcknowledged, ToastMessage("Grace is responding.")),
      (
        .alertWithdrawn,
        ToastMessage("Grace is no longer responding.", .danger)
      ),
      (.contactAccepted, nil),
    ] as [(NotificationItem.Kind, ToastMessage?)])
  func answers(kind: NotificationItem.Kind, toast: ToastMessage?) async {
    let store = makeStore()
    let old = item(1, kind, subject: "Mary")
    await show([old], in: store)
    let items = [item(2, kind, subject: "Grace"), old]
    await store.send(.changed(.notifications(items))) {
      $0.show { $0.notifications = items }
      $0.knownNotifications = Set(items.map(\.id))
      $0.toast = toast
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-6: starting a drill starts a monitor if none is running")
  func drill() async {
    let starts = LockedCounter()
    let state = AppFeature.State.signedIn()
    let clock = TestClock()
    let drill = Alert(id: Sample.id(40), kind: .drill, raisedAt: Sample.now)
    let store = TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.dateClient = .constant(Sample.now)
      $0.watchClient.start = { () async throws(StorageError) in starts.increment() }
    }
    await store.send(.main(.alerts(.drillBegun(drill)))) {
      $0.toast = ToastMessage("The drill has started. Its row shows who was sent it.")
    }
    await store.skipInFlightEffects()
    #expect(starts.value == 1)
  }
}

/// Records the calls to the person, in order.
final class LockedCalls: Sendable {
  private let calls = Mutex<[String]>([])
  var all: [String] { calls.withLock { $0 } }
  func add(_ call: String) { calls.withLock { $0.append(call) } }
}
