import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

/// CHN-1: the last messages on a channel.
@MainActor @Suite struct ChannelLogFeatureTests {
  private typealias Log = AsyncThrowingStream<[DeliveryReport], any Error>

  private let channel = ChannelsFeatureTests.hook
  private let sent = ChannelsFeatureTests.message(.channelTest(Sample.id(9)), .sent)
  private let failed = ChannelsFeatureTests.message(
    .deadlinePassed, .failed, error: "410 gone", number: 82)
  private let clock = TestClock()

  private func makeStore(
    _ observe: @escaping @Sendable () -> Log
  ) -> TestStoreOf<ChannelLogFeature> {
    TestStore(initialState: ChannelLogFeature.State(of: channel)) {
      ChannelLogFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.channelsClient.observeLog = { [channel] id in
        #expect(id == channel.id)
        return observe()
      }
    }
  }

  @Test("An open channel log shows the channel's messages and follows changes")
  func follows() async {
    let (log, change) = Log.makeStream()
    let store = makeStore { log }
    #expect(store.state.messages == nil)
    await store.send(.opened)
    change.yield([sent])
    await store.receive(.changed([sent])) { $0.messages = [sent] }
    change.yield([failed, sent])
    await store.receive(.changed([failed, sent])) { $0.messages = [failed, sent] }
    change.finish()
    await store.finish()
  }

  @Test("A channel log that fails to load says why, keeps its messages and is loaded again")
  func failure() async {
    let reads = LockedCounter()
    let store = makeStore { [sent, failed] in
      let isFirst = reads.increment() == 1
      return Log {
        $0.yield(isFirst ? [sent] : [failed, sent])
        $0.finish(throwing: isFirst ? StorageError.busy : nil)
      }
    }
    await store.send(.opened)
    await store.receive(.changed([sent])) { $0.messages = [sent] }
    await store.receive(.failed(StorageError.busy.text)) { $0.failure = StorageError.busy.text }
    #expect(reads.value == 1)
    await clock.run()
    await store.receive(.changed([failed, sent])) {
      $0.messages = [failed, sent]
      $0.failure = nil
    }
    await store.finish()
  }

  @Test("Moving in the channel log selects another message")
  func moves() async {
    let store = makeStore { Log { $0.finish() } }
    await store.send(.moved(ListPosition(selected: 1))) { $0.position.selected = 1 }
  }

  @Test("When a message arrives, the log keeps a chosen message or else the newest selected")
  func newMessage() async {
    let store = makeStore { Log { $0.finish() } }
    await store.send(.changed([sent])) { $0.messages = [sent] }
    await store.send(.changed([failed, sent])) { $0.messages = [failed, sent] }
    #expect(store.state.selected == failed)
    await store.send(.moved(ListPosition(selected: 1))) { $0.position.selected = 1 }
    let newest = ChannelsFeatureTests.message(.nonResponsive, .sent, number: 83)
    await store.send(.changed([newest, failed, sent])) {
      $0.messages = [newest, failed, sent]
      $0.position.selected = 2
    }
  }

  @Test("An error above the channel log can be dismissed without closing the log")
  func dismissal() async {
    let store = makeStore { Log { $0.finish() } }
    await store.send(.failed(StorageError.busy.text)) { $0.failure = StorageError.busy.text }
    await store.send(.failureDismissed) { $0.failure = nil }
  }

  @Test("Closing the channel log dismisses the sheet and stops reading")
  func closes() async {
    let (log, change) = Log.makeStream()
    let ends = LockedCounter()
    change.onTermination = { _ in ends.increment() }
    let store = makeStore { log }
    await store.send(.opened)
    #expect(ends.value == 0)
    await store.send(.closeButtonTapped)
    #expect(store.isDismissed && ends.value == 1)
  }
}
