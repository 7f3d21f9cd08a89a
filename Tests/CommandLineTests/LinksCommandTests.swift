import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// `lifesignal links`: CHK-8.
struct LinksCommandTests {
  let world = World()

  @Test("CHK-8: check-in links are off by default; links on prints the explanation first")
  func chooses() async {
    await world.openAccount()
    await world.expect("links", .init(0, "Checking in by a link: off\n"))
    // Nothing serves the page yet, so the command warns that the link won't work.
    let none = "lifesignal: No message carries a link yet: links isn't set up in config.json5.\n"
    await world.expect(
      "links on",
      .init(0, "\(LinkCheckIn.explanation)\nChecking in by a link: on\n", error: none))
    await world.expect("links", .init(0, "Checking in by a link: on\n", error: none))
    await world.expect("links off", .init(0, "Checking in by a link: off\n"))
    #expect(await world.run("links perhaps").exitCode == 2)
  }

  @Test("CHK-8: channels add --new-topic creates an ntfy topic that can carry a check-in link")
  func newTopic() async throws {
    await world.openAccount()
    let outcome = await withDependencies {
      $0.uuid = UUIDGenerator { UUID() }
    } operation: {
      await world.run("channels add --new-topic")
    }
    #expect(outcome.exitCode == 0)
    let word = try #require(outcome.output.split(separator: "\n").first?.split(separator: " ").last)
    let topic = try ChannelDraft(parsing: String(word))
    #expect(topic.kind == .ntfy)
    let channel = Channel(id: .init(), kind: topic.kind, address: topic.address)
    #expect(channel.carriesCheckInLink(hasToken: false))
  }
}
