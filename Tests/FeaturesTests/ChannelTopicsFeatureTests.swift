import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// CHN-3: choosing the topics sent to one of the person's own channels.
@MainActor @Suite struct ChannelTopicsFeatureTests {
  private typealias Muting = @Sendable (Topic, Channel.ID, Bool) async throws(ClientError) -> Void

  private func makeStore(_ setMuted: @escaping Muting) -> TestStoreOf<ChannelTopicsFeature> {
    TestStore(initialState: ChannelTopicsFeature.State(of: ChannelsFeatureTests.hook)) {
      ChannelTopicsFeature()
    } withDependencies: {
      $0.channelsClient.setMuted = { (topic, id, isMuted) async throws(ClientError) in
        try await setMuted(topic, id, isMuted)
      }
    }
  }

  @Test("CHN-3: switching a topic off mutes the topic on this channel")
  func switchesOff() async {
    let store = makeStore { (topic, id, isMuted) async throws(ClientError) in
      #expect(topic == .pauses && id == ChannelsFeatureTests.hook.id && isMuted)
    }
    await store.send(.moved(ListPosition(selected: 1))) { $0.position.selected = 1 }
    await store.send(.switched(.pauses, isMuted: true)) { $0.request.isRunning = true }
    await store.receive(.saved) { $0.request.isRunning = false }
  }

  @Test("CHN-3: a second choice is ignored while the first is being saved")
  func oneAtATime() async {
    var state = ChannelTopicsFeature.State(of: ChannelsFeatureTests.hook)
    state.request.isRunning = true
    let store = TestStore(initialState: state) { ChannelTopicsFeature() }
    await store.send(.switched(.pauses, isMuted: true))
  }

  @Test("CHN-3: a topic that can't be saved shows an error until the next choice")
  func failure() async {
    let store = makeStore { (topic, id, isMuted) async throws(ClientError) in
      if topic == .pauses { throw .channelNotFound }
    }
    await store.send(.switched(.pauses, isMuted: true)) { $0.request.isRunning = true }
    let retry = ChannelTopicsFeature.Action.switched(.pauses, isMuted: true)
    await store.receive(.saveFailed(.channelNotFound, retry: retry)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(ClientError.channelNotFound.text, retry: retry)
    }
    await store.send(.switched(.reminders, isMuted: false)) {
      $0.request.isRunning = true
      $0.request.failure = nil
    }
    await store.receive(.saved) { $0.request.isRunning = false }
  }

  @Test("CHN-3: the topics sheet opens for the user's own channels, not for a contact's")
  func presented() async {
    let own = TestStore(
      initialState: MainTabFeature.State(snapshot: ChannelsFeatureTests.snapshot())
    ) {
      MainTabFeature()
    }
    await own.send(.profile(.channelsButtonTapped)) {
      $0[ChannelsFeature.self] = ChannelsFeature.State(snapshot: $0.snapshot)
    }
    await own.send(.sheet(ChannelsFeature.self, .removed)) {
      $0[ChannelsFeature.self]?.notice = "Removed."
    }
    await own.send(.sheet(ChannelsFeature.self, .topicsButtonTapped)) {
      $0[ChannelsFeature.self]?.notice = nil
      $0[ChannelTopicsFeature.self] = ChannelTopicsFeature.State(of: ChannelsFeatureTests.mail)
    }
    await own.send(.sheet(ChannelTopicsFeature.self, .closeButtonTapped, id: 1))
    await own.receive(.closed(1)) { $0[ChannelTopicsFeature.self] = nil }
    let theirs = TestStore(
      initialState: MainTabFeature.State(snapshot: Sample.snapshot(contacts: [Sample.grace]))
    ) {
      MainTabFeature()
    }
    await theirs.send(.responders(.opened(Sample.grace.id))) {
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: Sample.grace, snapshot: $0.snapshot)
    }
    await theirs.send(.sheet(ContactDetailsFeature.self, .channelsButtonTapped)) {
      $0[ChannelsFeature.self] = ChannelsFeature.State(of: Sample.grace.id, snapshot: $0.snapshot)
    }
    await theirs.send(.sheet(ChannelsFeature.self, .topicsButtonTapped, id: 1))
  }

  @Test("CHN-3: Space and Enter switch the marked topic to the opposite of the stored choice")
  func keys() async {
    let calls = Mutex<[String]>([])
    var snapshot = ChannelsFeatureTests.snapshot()
    snapshot.channels.muted.set(.reminders, ChannelsFeatureTests.hook.id, isMuted: true)
    let store = Store(initialState: ChannelTopicsFeature.State(of: ChannelsFeatureTests.hook)) {
      ChannelTopicsFeature()
    } withDependencies: {
      $0.channelsClient.setMuted = { (topic, _, isMuted) async throws(ClientError) in
        calls.withLock { $0.append("\(topic) \(isMuted)") }
      }
    }
    let host = ViewHost()
    func press(_ key: KeyPress) async {
      _ = host.frame(
        ChannelTopicsView(store: store, snapshot: snapshot), size: Size(columns: 80, rows: 24))
      host.dispatch(.key(key))
      while store.state.request.isRunning { await Task.yield() }
    }
    await press("space")
    await press("down")
    await press("enter")
    #expect(calls.withLock { $0 } == ["reminders false", "pauses true"])
  }

  @Test("CHN-3: a channel's row names the muted topics, and no topics if everything is sent")
  func line() {
    var muted = MutedTopics()
    #expect(muted.line(of: ChannelsFeatureTests.hook.id) == nil)
    muted[ChannelsFeatureTests.hook.id] = [.pauses]
    #expect(muted.line(of: ChannelsFeatureTests.hook.id) == "off: pauses")
    muted[ChannelsFeatureTests.hook.id] = [.pauses, .reminders]
    #expect(muted.line(of: ChannelsFeatureTests.hook.id) == "alerts only")
  }
}
