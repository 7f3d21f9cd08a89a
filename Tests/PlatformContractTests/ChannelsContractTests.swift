import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ChannelsClient", .timeLimit(.minutes(1)))
struct ChannelsContractTests {
  static let hook = ChannelDraft(.webhook, "https://hooks.example.org/ada?key=1")
  static let topic = ChannelDraft(.ntfy, "https://ntfy.sh/7Qm2xK4v", token: Secret("tk_1"))

  private func opened(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    return world
  }

  @Test(
    "ONB-4: suggested ntfy topics are generated at random; 100 of them are all different",
    arguments: Platform.all(but: .beforeAccount))
  func newTopic(_ platform: Platform) async throws {
    // This works even before there is an account.
    let world = try World(platform)
    var names: Set<String> = []
    for _ in 0..<100 {
      let topic = try await world.channels.newTopic()
      #expect(topic.isGenerated)
      names.insert(topic.name)
    }
    #expect(names.count == 100)
  }

  // MARK: The person's own channels

  @Test(
    "The profile's e-mail address is the first own channel and can't be removed as a channel",
    arguments: Platform.allCases)
  func own(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let user = try await world.user.currentUser()
    let mail = Channel(id: user.id, kind: .email, address: "ida@example.org")
    #expect(try await world.channels.overview().own == [mail])
    let hook = try await world.channels.add(Self.hook, nil).channel
    let desktop = try await world.channels.add(ChannelDraft(.desktop, ""), nil).channel
    #expect(hook.address == Self.hook.address)
    #expect(try await world.channels.overview().own == [mail, hook, desktop])
    #expect(try await world.dueAccount().ownChannels == [mail, hook, desktop])
    try await world.channels.remove(hook.id)
    #expect(try await world.channels.overview().own == [mail, desktop])
    await expect(ClientError.channelNotFound) { () throws(ClientError) in
      try await world.channels.remove(hook.id)
    }
    await expect(ClientError.isProfileAddress) { () throws(ClientError) in
      try await world.channels.remove(user.id)
    }
  }

  @Test(
    "ONB-4: an own address whose test wasn't sent is removed without the gate or a notice")
  func unproven() async throws {
    let world = try await opened(.embedded)
    try await world.auth.updateGate(GatedOperationContractTests.gate)
    _ = try await world.deliverAll()
    func add(_ address: String) async throws -> Channel.ID {
      let channel = try await world.channels.add(ChannelDraft(.email, address), nil).channel
      try await world.channels.sendTest(channel.id)
      return channel.id
    }
    try await world.channels.remove(add("typo@example.org"))
    // Its pending test isn't sent later, and no responder is notified of the removal.
    #expect(try await world.deliverAll() == [])
    let proven = try await add("ida@example.net")
    #expect(try await world.deliverAll().map(\.address) == ["ida@example.net"])
    // Removing a channel needs the gate if its test was sent, or if another process asks.
    let old = try await add("ida@example.com")
    for (later, id) in [(world, proven), (try world.second(), old)] {
      await expect(ClientError.gate(.required)) { () throws(ClientError) in
        try await later.channels.remove(id)
      }
    }
    _ = try await world.deliverAll()
    try await world.channels.$remove(proven, typing: Secret("blue kettle"))
    #expect(try await world.deliverAll().map(\.address) == ["bo@example.org"])
  }

  @Test(
    "An own channel can't be added twice, but a contact can have the same channel",
    arguments: Platform.allCases)
  func duplicates(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let bo = try await world.contacts.contacts()[0]
    _ = try await world.channels.add(Self.hook, nil)
    for draft in [Self.hook, ChannelDraft(.email, "IDA@example.org")] {
      await expect(ClientError.channelExists(name: "Ida")) { () throws(ClientError) in
        try await world.channels.add(draft, nil)
      }
    }
    _ = try await world.channels.add(Self.hook, bo.id)
    let cem = try await world.contacts.add(.cem)
    await expect(ClientError.channelExists(name: "Bo")) { () throws(ClientError) in
      try await world.channels.add(Self.hook, cem.id)
    }
    await expect(ClientError.channelNotFound) { () throws(ClientError) in
      try await world.channels.add(Self.topic, UUID())
    }
    await expect(ClientError.invalid(.webAddress)) { () throws(ClientError) in
      try await world.channels.add(ChannelDraft(.webhook, "http://example.org"), nil)
    }
    await expect(ClientError.invalid(.accessToken)) { () throws(ClientError) in
      try await world.channels.add(ChannelDraft(.ntfy, "topic", token: Secret("a\r\nb")), nil)
    }
  }

  // MARK: Contacts' channels

  @Test("CON-3: editing a contact keeps the channels whose address stays, with their secrets")
  func severalChannels() async throws {
    for platform in Platform.allCases {
      let world = try await opened(platform)
      var draft = ContactDraft(name: "Zoë", channels: [Self.hook, Self.topic], roles: .responder)
      let zoe = try await world.contacts.add(draft)
      #expect(zoe.channels.map(\.kind) == [.webhook, .ntfy])
      #expect(zoe.email == nil)
      let hook = zoe.channels[0]
      let secret = try await world.channels.secret(hook.id)
      draft.channels = [ChannelDraft(.email, "zoe@example.org"), Self.hook]
      let changed = try await world.contacts.update(zoe, draft)
      #expect(changed.channels.map(\.address) == [hook.address, "zoe@example.org"])
      #expect(changed.channels[0] == hook)
      #expect(try await world.channels.secret(hook.id) == secret)
      #expect(try await world.contacts.contacts().first { $0.id == zoe.id } == changed)
      await expect(ClientError.channelNotFound) { () throws(ClientError) in
        try await world.channels.secret(zoe.channels[1].id)
      }
      // The error names the contact who has the channel, whatever its kind.
      await expect(ClientError.contactExists(name: "Zoë")) { () throws(ClientError) in
        try await world.contacts.add(
          ContactDraft(
            name: "Cem", email: "cem@example.org", channels: [Self.hook], roles: .dependent))
      }
    }
  }

  @Test("CON-3: a responder's last channel can't be removed", arguments: Platform.allCases)
  func lastChannel(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let bo = try await world.contacts.contacts()[0]
    await expect(ClientError.invalid(.channelRequired)) { () throws(ClientError) in
      try await world.channels.remove(bo.channels[0].id)
    }
    let hook = try await world.channels.add(Self.hook, bo.id).channel
    try await world.channels.remove(bo.channels[0].id)
    #expect(try await world.contacts.contacts()[0].channels == [hook])
  }

  // MARK: Secrets

  @Test("CHN-1: a new webhook gets a 32-byte secret, shown when added and on request")
  func secrets() async throws {
    for platform in Platform.allCases {
      let world = try await opened(platform)
      let bo = try await world.contacts.contacts()[0]
      let own = try await world.channels.add(Self.hook, nil)
      let theirs = try await world.channels.add(Self.hook, bo.id)
      let secret = try #require(own.secret)
      #expect(secret.value.hasPrefix("whsec_"))
      #expect(Data(base64Encoded: String(secret.value.dropFirst(6)))?.count == 32)
      #expect(theirs.secret != nil && theirs.secret != secret)
      #expect(try await world.channels.secret(own.channel.id) == secret)
      let topic = try await world.channels.add(Self.topic, nil)
      #expect(topic.secret == Secret("tk_1"))
      #expect(try await world.channels.secret(bo.channels[0].id) == nil)
    }
  }

  @Test(
    "CHN-4: replacing a service channel's secret keeps the channel; a webhook's can't be replaced",
    arguments: Platform.allCases)
  func replacesSecret(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let slack = try await world.channels.add(
      ChannelDraft(.service, "slack:family", token: Secret(#"{"url":"https://slack.com/1"}"#)), nil)
    let hook = try await world.channels.add(ChannelDraft(.webhook, "https://example.org/x"), nil)
    let new = Secret(#"{"url":"https://slack.com/2"}"#)
    try await world.channels.replaceSecret(slack.channel.id, new)
    #expect(try await world.channels.secret(slack.channel.id) == new)
    #expect(try await world.channels.overview().own.contains(slack.channel))
    try await world.channels.sendTest(slack.channel.id)
    #expect(try await world.deliverAll().first?.secret == new)
    await expect(ClientError.invalid(.accessToken)) { () throws(ClientError) in
      try await world.channels.replaceSecret(hook.channel.id, Secret("x"))
    }
    #expect(try await world.channels.secret(hook.channel.id) == hook.secret)
  }

  @Test(
    "CHK-3: showing a channel's secret needs the gate's passphrase", arguments: Platform.allCases)
  func secretBehindGate(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let hook = try await world.channels.add(Self.hook, nil)
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("be kind")))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.channels.secret(hook.channel.id)
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.channels.$secret(hook.channel.id, typing: Secret("sesame"))
    }
    #expect(
      try await world.channels.$secret(hook.channel.id, typing: Secret("open sesame"))
        == hook.secret)
    #expect(try await world.dueAccount().alerts == [])
    #expect(
      try await world.channels.$secret(hook.channel.id, typing: Secret("be kind")) == hook.secret)
    #expect(try await world.dueAccount().alerts.map(\.kind) == [.duress])
  }

  @Test("A claimed message carries the signing secret of its recipient's channel")
  func claims() async throws {
    for platform in Platform.allCases {
      let world = try await opened(platform)
      let bo = try await world.contacts.contacts()[0]
      let peer = try await world.openPeer("Cem")
      let relation = try await world.befriend(peer, .responder).own
      let own = try await world.channels.add(Self.hook, nil)
      let theirs = try await world.channels.add(Self.hook, bo.id)
      let peers = try await peer.channels.add(Self.hook, nil)
      try await world.deliverAll()
      let alert = try await world.alerts.raise("")
      func planned(_ recipient: Recipient, _ name: String) -> PlannedDelivery {
        PlannedDelivery(
          occasion: .alert(alert.id), stage: .alertOn, recipient: recipient, recipientName: name,
          channel: .webhook, address: Self.hook.address)
      }
      let account = try #require(
        try await world.monitor.due(world.now, 10).first { $0.user.profile.name == "Ida" })
      _ = try await world.monitor.apply(
        Plan(deliveries: [
          planned(.owner, "Ida"), planned(.contact(bo.id), "Bo"),
          planned(.contact(relation.id), "Cem"),
        ]), account.user.id, account.revision, world.now)
      let claimed = try await world.deliverAll()
      let secrets = Dictionary(uniqueKeysWithValues: claimed.map { ($0.recipientName, $0.secret) })
      #expect(secrets["Ida"] == own.secret)
      #expect(secrets["Bo"] == theirs.secret)
      #expect(secrets["Cem"] == peers.secret)
      // The addresses of another account's own channels are shortened.
      let addresses = try await world.alerts.history(1)[0].deliveries.map(\.address)
      #expect(addresses.contains(Self.hook.address) && addresses.contains("hooks.example.org"))
    }
  }

  // MARK: Recipients

  @Test(
    "A linked responder is notified on all channels, but no address gets a message twice",
    arguments: Platform.allCases)
  func linkedResponders(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo, .cem])
    world.advance(.minutes(1))
    let peer = try await world.openPeer("Bo")
    _ = try await peer.channels.add(Self.topic, nil)
    let relation = try await world.befriend(peer, .responder).own
    let account = try #require(
      try await world.monitor.due(world.now, 10).first { $0.user.profile.name == "Ida" })
    let lines = account.responders.flatMap { responder in
      responder.channels.map { "\(responder.id == relation.id) \($0.address)" }
    }
    // The address belongs to the contact Bo, who was added first.
    #expect(
      lines.sorted() == [
        "false bo@example.org", "false cem@example.org", "true https://ntfy.sh/7Qm2xK4v",
      ])
  }

  @Test("When a responder adds a channel, a monitor plans again for their dependents")
  func changeConcernsDependents() async throws {
    for platform in Platform.allCases {
      let world = try await opened(platform)
      let peer = try await world.openPeer("Cem")
      try await world.befriend(peer, .responder)
      try await world.deliverAll()
      for account in try await world.monitor.due(world.now, 10) {
        _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
      }
      _ = try await peer.channels.add(Self.hook, nil)
      let due = try await world.monitor.due(world.now, 10).map(\.user.profile.name)
      #expect(due.contains("Ida"))
    }
  }

  @Test("AUTH-4: responders are notified of a deleted account on all their channels")
  func finalMessage() async throws {
    for platform in Platform.allCases {
      let world = try await opened(platform)
      let peer = try await world.openPeer("Cem")
      let theirs = try await peer.channels.add(Self.hook, nil)
      try await world.befriend(peer, .responder)
      _ = try await world.channels.add(Self.topic, nil)
      try await world.auth.deleteAccount(nil)
      let account = try #require(
        try await world.monitor.due(world.now, 10).first { $0.user.deletedAt != nil })
      let addresses = account.responders.flatMap(\.channels).map(\.address)
      #expect(addresses.sorted() == ["bo@example.org", "cem@example.org", Self.hook.address])
      #expect(account.ownChannels == [])
      let cem = try #require(account.responders.first { $0.name == "Cem" })
      _ = try await world.monitor.apply(
        Plan(deliveries: [
          PlannedDelivery(
            occasion: .account, stage: .accountDeleted, recipient: .contact(cem.id),
            recipientName: "Cem", channel: .webhook, address: Self.hook.address)
        ]), account.user.id, account.revision, world.now)
      #expect(try await world.deliverAll().map(\.secret) == [theirs.secret])
    }
  }

  // MARK: Transfer

  @Test(
    "Channels are exported and imported without their secrets",
    arguments: Platform.all(but: .beforeAccount))
  func transfer(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let hook = try await world.channels.add(Self.hook, nil)
    _ = try await world.contacts.add(
      ContactDraft(name: "Zoë", channels: [Self.hook, Self.topic], roles: .responder))
    let export = try await world.transfer.exportAccount()
    #expect(export.channels == [hook.channel])
    let bytes = try export.encoded()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("whsec_") && !text.contains("tk_1"))
    let read = try AccountExport(decoding: bytes)
    #expect(read == export)

    let fresh = try World(platform)
    #expect(try await fresh.transfer.importAccount(read).opened)
    #expect(try await fresh.contacts.contacts() == (try await world.contacts.contacts()))
    #expect(try await fresh.channels.overview().own == (try await world.channels.overview().own))
    let secret = try await fresh.channels.secret(hook.channel.id)
    #expect(secret != nil && secret != hook.secret)
    // They were already sent it by the store that the export came from.
    #expect(try await fresh.deliverAll() == [])

    let other = try World(platform)
    try await other.openAccount()
    _ = try await other.transfer.importAccount(read)
    #expect(
      try await other.deliverAll().map(\.stage) == [.contactAdded, .contactAdded, .contactAdded])
  }

  @Test("An export of version 1, without own channels, can still be read")
  func oldExport() async throws {
    let world = try await opened(.inMemory)
    let text = String(decoding: try await world.transfer.exportAccount().encoded(), as: UTF8.self)
    let old = text.replacing(#""version" : 2"#, with: #""version" : 1"#)
      .replacing(#/  "channels" : \[\s*\],\n/#, with: "")
    #expect(old != text)
    #expect(try AccountExport(decoding: Data(old.utf8)).contacts.map(\.name) == ["Bo"])
  }
}

extension ChannelsContractTests {
  @Test(
    "ESC-4: a plan made before a responder removed a channel is refused",
    arguments: Platform.allCases)
  func removedByResponder(_ platform: Platform) async throws {
    let ida = try World(platform)
    let user = try await ida.openAccount()
    let bo = try await ida.openPeer()
    try await ida.befriend(bo, .responder)
    let hook = try await bo.channels.add(Self.hook, nil).channel
    let planned = try #require(
      try await ida.monitor.due(ida.now, 9).first { $0.user.id == user.id })
    try await bo.channels.remove(hook.id)
    #expect(try await !ida.monitor.apply(Plan(), user.id, planned.revision, ida.now))
  }
}
