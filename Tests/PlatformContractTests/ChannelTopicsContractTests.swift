import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("CHN-3 Muted topics of a person's own channels", .timeLimit(.minutes(1)))
struct ChannelTopicsContractTests {
  private static let hook = ChannelDraft(.webhook, "https://hooks.example.org/ida")

  /// Ida's account with an address and a webhook, and pauses muted for mail.
  private func opened(
    _ platform: Platform
  ) async throws -> (world: World, mail: Channel.ID, hook: Channel.ID) {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let hook = try await world.channels.add(Self.hook, nil).channel.id
    let mail = try await world.user.currentUser().id
    try await world.channels.setMuted(.pauses, mail, true)
    return (world, mail, hook)
  }

  @Test("All topics are on at first; each can be muted and unmuted per channel")
  func switching() async throws {
    for platform in Platform.allCases {
      let (world, mail, hook) = try await opened(platform)
      var expected = MutedTopics()
      expected.set(.pauses, mail, isMuted: true)
      #expect(try await world.channels.overview().muted == expected)
      try await world.channels.setMuted(.reminders, hook, true)
      try await world.channels.setMuted(.pauses, hook, true)
      try await world.channels.setMuted(.pauses, hook, true)
      expected[hook] = [.reminders, .pauses]
      #expect(try await world.channels.overview().muted == expected)
      try await world.channels.setMuted(.pauses, mail, false)
      try await world.channels.setMuted(.reminders, hook, false)
      expected[mail] = []
      expected[hook] = [.pauses]
      #expect(try await world.channels.overview().muted == expected)
    }
  }

  @Test(
    "Muting a topic makes the account due, and the topic's messages skip the channel",
    arguments: Platform.allCases)
  func planning(_ platform: Platform) async throws {
    let (world, mail, hook) = try await opened(platform)
    try await world.deliverAll()
    #expect(try await world.monitor.due(world.now, 10) == [])
    try await world.channels.setMuted(.reminders, hook, true)
    let account = try await world.dueAccount()
    let reminder = Stage.reminder(.minutes(30))
    #expect(account.ownChannels.map(\.id) == [mail, hook])
    #expect(account.ownChannels(for: reminder).map(\.id) == [mail])
    #expect(account.ownChannels(for: .pauseEnds).map(\.id) == [hook])
    #expect(account.ownChannels(for: .deadlinePassed).map(\.id) == [mail, hook])
  }

  @Test(
    "Muting a topic of a contact's, removed or unknown channel fails with channelNotFound",
    arguments: Platform.allCases)
  func refused(_ platform: Platform) async throws {
    let (world, mail, hook) = try await opened(platform)
    let bo = try await world.contacts.contacts()[0].channels[0].id
    try await world.channels.remove(hook)
    for id in [bo, hook, UUID()] {
      await expect(ClientError.channelNotFound) { () throws(ClientError) in
        try await world.channels.setMuted(.reminders, id, true)
      }
    }
    // Without an address, the mail channel doesn't exist.
    _ = try await world.user.updateProfile(Profile(name: "Ida"))
    await expect(ClientError.channelNotFound) { () throws(ClientError) in
      try await world.channels.setMuted(.reminders, mail, true)
    }
    let signedOut = try World(platform)
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await signedOut.channels.setMuted(.reminders, mail, true)
    }
  }

  @Test("A muted topic stays when the channel's address changes and goes with a removed channel")
  func following() async throws {
    for platform in Platform.allCases {
      let (world, mail, hook) = try await opened(platform)
      try await world.channels.setMuted(.reminders, hook, true)
      _ = try await world.user.updateProfile(Profile(name: "Ida", email: "new@example.org"))
      var expected = MutedTopics()
      expected[mail] = [.pauses]
      expected[hook] = [.reminders]
      #expect(try await world.channels.overview().muted == expected)
      try await world.channels.remove(hook)
      let again = try await world.channels.add(Self.hook, nil).channel.id
      let muted = try await world.channels.overview().muted
      #expect(muted[again] == [] && muted[hook] == [] && muted[mail] == [.pauses])
    }
  }

  @Test("An observer of the channels sees when a topic is unmuted", arguments: Platform.allCases)
  func observing(_ platform: Platform) async throws {
    let (world, mail, _) = try await opened(platform)
    var changes = world.channels.observe().makeAsyncIterator()
    #expect(try await changes.next()?.muted[mail] == [.pauses])
    try await world.channels.setMuted(.pauses, mail, false)
    #expect(try await changes.next()?.muted == MutedTopics())
  }

  @Test("A responder who muted every topic is still notified of an alert on every channel")
  func responders() async throws {
    for platform in Platform.allCases {
      let world = try World(platform)
      try await world.openAccount()
      let peer = try await world.openPeer("Cem")
      _ = try await peer.channels.add(Self.hook, nil)
      for channel in try await peer.channels.overview().own {
        for topic in Topic.allCases { try await peer.channels.setMuted(topic, channel.id, true) }
      }
      try await world.befriend(peer, .responder)
      let ida = try #require(
        try await world.monitor.due(world.now, 10).first { $0.user.profile.name == "Ida" })
      #expect(ida.mutedTopics.isEmpty)
      #expect(
        ida.responders.flatMap(\.channels).map(\.address) == ["cem@example.org", Self.hook.address])
    }
  }

  @Test("AUTH-4: deleting an account deletes its muted topics", arguments: Platform.allCases)
  func deletion(_ platform: Platform) async throws {
    let (world, _, hook) = try await opened(platform)
    try await world.channels.setMuted(.reminders, hook, true)
    try await world.auth.deleteAccount(nil)
    let account = try await world.dueAccount()
    #expect(account.user.deletedAt != nil && account.mutedTopics.isEmpty)
  }

  // MARK: Transfer

  @Test("Muted topics survive an export and an import into an empty store byte for byte")
  func roundTrip() async throws {
    for (from, to) in Platform.allCases.flatMap({ one in
      Platform.all(but: .beforeAccount).map { (one, $0) }
    }) {
      let (world, _, hook) = try await opened(from)
      let plain = try await world.transfer.exportAccount()
      try await world.channels.setMuted(.reminders, hook, true)
      let export = try await world.transfer.exportAccount()
      #expect(export.mutedTopics != plain.mutedTopics)
      let bytes = try export.encoded()
      let fresh = try World(to)
      _ = try await fresh.transfer.importAccount(AccountExport(decoding: bytes))
      #expect(
        try await fresh.channels.overview().muted == (try await world.channels.overview().muted))
      let again = try await fresh.transfer.exportAccount().encoded()
      #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("An import changes no muted topics of existing channels; an imported channel keeps its own")
  func importIntoOther() async throws {
    for platform in Platform.allCases {
      let (world, _, hook) = try await opened(platform)
      try await world.channels.setMuted(.reminders, hook, true)
      let export = try await world.transfer.exportAccount()
      // Into the same account: topics unmuted since stay unmuted.
      try await world.channels.setMuted(.reminders, hook, false)
      _ = try await world.transfer.importAccount(export)
      #expect(try await world.channels.overview().muted[hook] == [])
      // Into another account: the choice for the old address doesn't apply, but the webhook is
      // imported with its own.
      let other = try World(platform)
      let mail = try await other.openAccount().id
      _ = try await other.transfer.importAccount(export)
      let overview = try await other.channels.overview()
      let imported = try #require(overview.own.first { $0.kind == .webhook }).id
      #expect(overview.muted[mail] == [] && overview.muted[imported] == [.reminders])
    }
  }

  @Test("An export without muted topics mutes none; muted topics of an unknown channel are refused")
  func files() async throws {
    let (world, mail, _) = try await opened(.inMemory)
    try await world.channels.setMuted(.pauses, mail, false)
    let bytes = try await world.transfer.exportAccount().encoded()
    #expect(!String(decoding: bytes, as: UTF8.self).contains("mutedTopics"))
    var export = try AccountExport(decoding: bytes)
    #expect(export.mutedTopics.isEmpty)
    export.mutedTopics.set(.pauses, UUID(), isMuted: true)
    #expect(throws: ClientError.self) { try AccountExport(decoding: export.encoded()) }
  }
}
