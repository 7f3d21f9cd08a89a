import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal channels`, `contacts add` with channels, and `decline`.
struct ChannelsCommandTests {
  let world = World()

  @Test("CHN-1: the channels command adds, lists, tests and removes a webhook")
  func own() async throws {
    await world.openAccount()
    let added = await world.run("channels add https://hooks.example.org/x")
    #expect(added.exitCode == 0)
    #expect(added.output.hasPrefix("Added: https://hooks.example.org/x\nIts secret: whsec_"))
    #expect(await world.run("channels").output.contains("https://hooks.example.org/x  never used"))
    let test = await world.run("channels test webhook")
    #expect(test.exitCode == 0 && test.output.hasPrefix("Sending a test to https://hooks"))
    #expect(await world.run("channels log webhook").output.contains("channel test  on its way"))
    let secret = await world.run("channels secret webhook").output
    #expect(added.output.hasSuffix("secret: \(secret)"))
    #expect(await world.run("channels remove HTTPS://hooks.example.org/x").exitCode == 0)
    #expect(await world.run("channels test webhook").exitCode == 1)
    #expect(await world.run("channels add ftp://example.org").exitCode == 2)
  }

  @Test("An e-mail address picks one of two contacts with the same name")
  func namesakes() async {
    await world.openAccount()
    for address in ["bob@x.example", "bob@y.example"] {
      #expect(await world.run(["contacts", "add", "Bob", "--email", address]).exitCode == 0)
    }
    await world.expect(
      "channels --contact Bob",
      .init(
        1,
        error: "lifesignal: “Bob” could be Bob and Bob. Type more of the name, or their address.\n")
    )
    #expect(
      await world.run("channels --contact BOB@y.example").output.hasPrefix("bob@y.example"))
  }

  @Test("Adding ftp://x as a channel reports a wrong web address, not a wrong e-mail address")
  func otherURL() async {
    await world.openAccount()
    #expect(
      await world.run("channels add ftp://x").errorOutput.contains(
        "This isn't a web address."))
  }

  @Test("CHN-4: channels add telegram:CHAT asks for the bot's token and keeps it out of the list")
  func services() async throws {
    await world.openAccount()
    #expect(await world.run("channels services").output.contains("telegram    Telegram\n"))
    let telegram = await world.run("channels services telegram").output
    #expect(telegram.hasPrefix("Telegram\nWrite /newbot to @BotFather"))
    #expect(telegram.hasSuffix("lifesignal channels add telegram:CHAT\n"))
    world[\.secrets] = ["110201543:AAHdq"]
    let added = await world.run("channels add telegram:123")
    #expect(added == .init(0, "Added: telegram:123\n"))
    let own = try #require(try await world.values.channelsClient.overview().own.last)
    #expect(own.kind == .service && own.address == "telegram:123")
    #expect(
      try await world.values.channelsClient.secret(own.id)?.value
        == #"{"token":"110201543:AAHdq"}"#)
    let list = await world.run("channels")
    #expect(list.output.contains("telegram:123  never used") && !list.output.contains("AAHdq"))
    world[\.secrets] = ["t"]
    let mary = await world.run(
      "channels add signal:server=http://localhost:8080,from=+15005550006,to=+491518765432")
    #expect(
      mary.output
        == "Added: signal:server=http:%2F%2Flocalhost:8080&from=%2B15005550006&to=%2B491518765432\n"
    )
    for (words, code) in [
      ("channels add pigeon:7", Int32(1)), ("channels services pigeon", 1),
      ("channels add twilio:from=+1555", 1), ("channels add twilio:pigeon=7", 1),
    ] {
      world[\.secrets] = ["t"]
      let result = await world.run(words)
      #expect(result.exitCode == code && !result.errorOutput.isEmpty, "\(words): \(result)")
    }
  }

  @Test(
    "CHN-3: reminders can be muted and unmuted on each channel, and the list shows what is muted")
  func muting() async throws {
    await world.openAccount()
    #expect(await world.run("channels add desktop").exitCode == 0)
    await world.expect(
      "channels mute desktop reminders", .init(0, "Muted on desktop: reminders\n"))
    let own = try await world.values.channelsClient.overview().own
    #expect(try await world.values.channelsClient.overview().muted[own.last!.id] == [.reminders])
    #expect(await world.run("channels").output.contains("desktop  never used  muted: reminders\n"))
    for channel in own.dropLast() {
      #expect(await world.run("channels mute \(channel.spelling) reminders").exitCode == 0)
    }
    #expect(
      await world.run("channels").errorOutput
        == "lifesignal: Reminders aren't sent to any channel; only the app shows them.\n")
    await world.expect(
      "channels unmute desktop reminders", .init(0, "Unmuted on desktop: reminders\n"))
    #expect(await world.run("channels").errorOutput == "")
  }

  @Test("CHN-3: muting alerts, or anything on a contact's channel, is refused")
  func neverMuted() async throws {
    await world.openAccount()
    #expect(await world.run("channels add desktop").exitCode == 0)
    #expect(await world.run("contacts add Mary --desktop").exitCode == 0)
    for words in [
      "channels mute desktop alerts", "channels mute desktop", "channels mute desktop deadline",
    ] {
      #expect(await world.run(words).exitCode == 2, "\(words)")
    }
    #expect(await world.run("channels mute ntfy reminders").exitCode == 1)
    #expect(await world.run("channels mute desktop reminders --contact Mary").exitCode == 1)
    #expect(try await world.values.channelsClient.overview().muted.isEmpty)
  }

  @Test("CON-3: contacts add takes several channels, and channels --contact NAME changes them")
  func contact() async throws {
    await world.openAccount()
    let added = await world.run("contacts add Mary --ntfy mary-topic --desktop")
    #expect(added.exitCode == 0)
    #expect(
      await world.run("channels --contact Mary").output.hasPrefix("ntfy:https://ntfy.sh/mary-topic")
    )
    // The channel is found as typed, although it is stored as a URL.
    #expect(await world.run("channels add ntfy:second-topic --contact Mary").exitCode == 0)
    #expect(await world.run("channels remove ntfy:second-topic --contact Mary").exitCode == 0)
    #expect(await world.run("channels add ntfy:my-topic").exitCode == 0)
    #expect(await world.run("channels mute ntfy:my-topic reminders").exitCode == 0)
    #expect(await world.run("channels remove desktop --contact Mary").exitCode == 0)
    // A responder keeps their last channel.
    #expect(await world.run("channels remove ntfy --contact Mary").exitCode == 1)
    #expect(await world.run("contacts").output.contains("ntfy:https://ntfy.sh/mary-topic"))
  }

  @Test("CON-3: decline with the code from a message marks its recipient as declined")
  func decline() async throws {
    await world.openAccount()
    #expect(await world.run("decline 7K3QF-9ZD2M").exitCode == 1)
    let monitor = world.values.monitorClient
    let now = world.values.dateClient.now()
    for account in try await monitor.due(now, 10) {
      _ = try await monitor.apply(Plan(), account.user.id, account.revision, now)
    }
    let word = try #require(
      try await monitor.claim(now, .seconds(60), ClaimRequest(limit: 10)).first)
    let code = try #require(word.code?.value)
    await world.expect(
      "decline \(code)",
      .init(0, "\(word.recipientName) declined and gets no more messages.\n"))
    #expect(await world.run("contacts").output.contains("declined"))
  }
}
