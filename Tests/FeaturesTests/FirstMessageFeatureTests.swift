import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Features

@MainActor @Suite struct FirstMessageFeatureTests {
  private static func report(_ state: DeliveryState, error: String? = nil) -> DeliveryReport {
    DeliveryReport(
      id: Sample.id(7), stage: .channelTest(Sample.id(7)), recipientID: .owner,
      recipient: "Grace Hopper", channel: .ntfy, address: "https://ntfy.sh/grace", state: state,
      date: Sample.now, error: error)
  }

  private func makeStore(
    _ kind: Channel.Kind, result: DeliveryReport, transport: MailTransport? = nil
  ) -> TestStoreOf<FirstMessageFeature> {
    TestStore(
      initialState: FirstMessageFeature.State(
        user: Sample.user, responder: "Grace Hopper",
        channel: ChannelDraft(kind, kind == .ntfy ? "https://ntfy.sh/grace" : "grace@example.org"))
    ) {
      FirstMessageFeature()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.mailSettingsClient.settings = { () async throws(ClientError) in transport }
      $0.keychainClient.source = { _ async throws(KeychainError) in nil }
      $0.contactsClient.contacts = { () async throws(ClientError) in [Sample.alan, Sample.grace] }
      let looks = LockedCounter()
      $0.channelsClient.overview = { () async throws(ClientError) in
        var overview = ChannelOverview()
        if looks.increment() > 1 { overview.last[Sample.grace.channels[0].id] = result }
        return overview
      }
      $0.channelsClient.sendTest = { id async throws(ClientError) in
        #expect(id == Sample.grace.channels[0].id)
      }
      $0.watchClient.start = { () async throws(StorageError) in }
      $0.watchClient.retryMail = { () async throws(StorageError) in }
    }
  }

  @Test("ONB-4: a test message is sent to the first responder")
  func sent() async {
    let store = makeStore(.ntfy, result: Self.report(.sent))
    await store.send(.opened)
    await store.send(.sendButtonTapped) { $0.phase = .sending }
    await store.receive(.sent(FirstMessageResult(error: nil))) {
      $0.phase = .done(FirstMessageResult(error: nil))
    }
  }

  @Test("ONB-4: a test message that wasn't sent shows why and can be tried again")
  func refused() async {
    let store = makeStore(.ntfy, result: Self.report(.pending, error: "no such topic"))
    await store.send(.sendButtonTapped) { $0.phase = .sending }
    await store.receive(.sent(FirstMessageResult(error: "no such topic"))) {
      $0.phase = .done(FirstMessageResult(error: "no such topic"))
    }
    // The result of an earlier message doesn't count for this test.
    await store.send(.sendButtonTapped) { $0.phase = .sending }
    await store.receive(.sent(FirstMessageResult(error: "no monitor took it yet"))) {
      $0.phase = .done(FirstMessageResult(error: "no monitor took it yet"))
    }
  }

  @Test("ONB-4: a test message by e-mail first opens the mail setup if mail isn't set up")
  func mail() async {
    let store = makeStore(.email, result: Self.report(.sent))
    await store.send(.opened)
    await store.receive(.settingsRead(nil)) { $0.hasMail = false }
    #expect(store.state.needsMail)
    await store.send(.sendButtonTapped)
    await store.receive(.mailButtonTapped) {
      $0.mail = MailFeature.State(address: Sample.user.profile.email)
    }
    await store.receive(.mail(.presented(.opened)))
    await store.receive(.mail(.presented(.loaded(nil))))
    // A failed test doesn't count as set up. If the account is kept anyway, the failure stays on
    // screen.
    await store.send(.mail(.presented(.tested(MailFeatureTests.refused)))) {
      $0.mail?.test = .done(MailFeatureTests.refused)
    }
    #expect(store.state.needsMail)
    await store.send(.mail(.presented(.kept))) {
      $0.hasMail = true
      $0.phase = .done(FirstMessageResult(error: MailFeatureTests.refused.text))
    }
    await store.receive(.mail(.dismiss)) { $0.mail = nil }
  }

  @Test("ONB-4: if sendmail sends the mail, the test message needs no mail setup")
  func sendmail() async {
    let sendmail = MailTransport.sendmail(SendmailSettings(path: "/usr/sbin/sendmail"))
    let store = makeStore(.email, result: Self.report(.sent), transport: sendmail)
    await store.send(.opened)
    await store.receive(.settingsRead(sendmail)) { $0.hasMail = true }
    #expect(!store.state.needsMail)
    await store.send(.sendButtonTapped) { $0.phase = .sending }
    await store.receive(.sent(FirstMessageResult(error: nil))) {
      $0.phase = .done(FirstMessageResult(error: nil))
    }
  }

  @Test("ONB-4: how to subscribe to an ntfy topic can be copied, and the topic shown as a QR code")
  func subscribing() async {
    let copied = Mutex("")
    let store = makeStore(.ntfy, result: Self.report(.sent))
    store.dependencies.clipboardClient = ClipboardClient { text in copied.withLock { $0 = text } }
    store.dependencies.qrCodeClient.modules = { text async throws(QRCodeError) in
      #expect(text == "https://ntfy.sh/grace")
      return [[true]]
    }
    await store.send(.copyButtonTapped) { $0.isCopied = true }
    await store.send(.codeButtonTapped)
    await store.receive(.codeDrawn([[true]])) { $0.code = [[true]] }
    await store.send(.codeClosed) { $0.code = nil }
    await store.finish()
    #expect(copied.withLock { $0 }.hasSuffix("tap + and subscribe to the topic grace."))
    let mail = makeStore(.email, result: Self.report(.sent))
    await mail.send(.copyButtonTapped)
    await mail.send(.codeButtonTapped)
  }
}
