import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal contacts`.
struct ContactsCommandTests {
  let world = World()

  @Test func plain_alignsTheColumns() async throws {
    await world.openAccount()
    _ = try await world.values.contactsClient.add(
      ContactDraft(
        name: "小林 さくら", phone: "+81312345678", email: "sakura@example.jp",
        roles: [.responder, .dependent]))
    #expect(
      await world.run("contacts").output
        == """
        Alan Turing   responder             alan@example.org   -
        Grace Hopper  responder             grace@example.org  -
        小林 さくら   responder, dependent  sakura@example.jp  +81 312 345 678

        """)
  }

  @Test func json_isOneLineWithEveryMember() async throws {
    await world.openAccount()
    let contacts = await world.run("contacts --json")
    #expect(contacts.exitCode == 0)
    let lines = contacts.output.split(separator: "\n")
    #expect(lines.count == 1)
    let first =
      #""name":"Alan Turing","roles":["responder"],"email":"alan@example.org","phone":null,"#
      + #""note":"","added_at":"2026-11-21T07:52:00Z","#
      + #""after":0,"channels":[{"kind":"email","address":"alan@example.org"}]}"#
    #expect(contacts.output.contains(first))
    #expect(contacts.output.hasPrefix(#"[{"id":"00000000-0000-0000-0000-"#))
  }

  @Test("CON-3: contacts add saves an e-mail address with a phone; a phone alone is refused")
  func add_takesAPhoneNumber() async throws {
    await world.openAccount()
    await world.expect(
      "contacts add Mum --email mum@example.org --phone +442071838750",
      .init(0, "Saved Mum. They are notified when you need help.\n"))
    let mum = try await world.values.contactsClient.contacts().first { $0.name == "Mum" }
    #expect(mum?.phone == "+442071838750")
    let alone = await world.run("contacts add Dad --phone +442071838750")
    #expect(alone.exitCode == 2)
    #expect(alone.errorOutput.contains("A number alone notifies nobody. Add how they are notified"))
  }

  @Test("CON-4: contacts edit keeps what isn't given; contacts remove warns if nobody is left")
  func editAndRemove() async throws {
    await world.openAccount()
    await world.expect(
      "contacts edit grace --phone +442079460018 --note Sister", .init(0, "Saved Grace Hopper.\n"))
    let grace = try #require(
      try await world.values.contactsClient.contacts().first { $0.name == "Grace Hopper" })
    #expect(grace.phone == "+442079460018" && grace.note == "Sister")
    #expect(grace.email == "grace@example.org" && grace.roles == .responder)
    #expect(await world.run(["contacts", "edit", "grace", "--phone", ""]).exitCode == 0)
    #expect(await world.run("contacts edit grace --ntfy ls-0123456789abcdef").exitCode == 0)
    let changed = try await world.values.contactsClient.contacts().first { $0.id == grace.id }
    #expect(changed?.phone == nil && changed?.channels.map(\.kind) == [.ntfy])
    let nothing = await world.run("contacts edit grace")
    #expect(nothing.exitCode == 2)
    #expect(nothing.errorOutput.contains("Nothing to change was given."))
    #expect(await world.run("contacts remove nobody").exitCode == 1)
    for contact in try await world.values.contactsClient.contacts().dropLast() {
      #expect(await world.run(["contacts", "remove", contact.name]).errorOutput == "")
    }
    let last = try #require(try await world.values.contactsClient.contacts().first)
    let outcome = await world.run(["contacts", "remove", last.name])
    #expect(outcome.output == "Removed \(last.name).\n")
    #expect(outcome.errorOutput.contains("Nobody would be notified"))
  }

  @Test("Adding a contact by name alone says that the address is missing, not that a code is wrong")
  func add_needsAnAddress() async {
    await world.openAccount()
    let outcome = await world.run("contacts add Ben")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorOutput.contains("There is no address for “Ben”. Add one, such as --email"))
    #expect(await world.run("contacts add 12ab").errorOutput.contains("isn't a LifeSignal code"))
  }

  @Test func none_isNoError() async {
    _ = await world.run("init --name Ada")
    await world.expect(
      "contacts",
      .init(
        0,
        error: "lifesignal: There are no contacts yet. Start lifesignal to add one.\n"))
    await world.expect("contacts --json", .init(0, "[]\n"))
  }

  @Test("ESC-8: contacts edit --after has a responder notified later; 0m is at once again")
  func wait() async throws {
    await world.openAccount()
    await world.expect(
      "contacts edit Grace --after 30m",
      .init(
        0,
        "If you miss a deadline, Grace Hopper is notified 30 minutes later, if nobody is responding by then.\n"
      ))
    #expect(await world.run("contacts").output.contains("30m later"))
    #expect(await world.run("contacts --json").output.contains(#""after":1800"#))
    await world.expect(
      "contacts edit Grace --after 0m",
      .init(0, "If you miss a deadline, Grace Hopper is notified at once.\n"))
    #expect(await world.run("contacts --json").output.contains(#""after":0"#))
    // With another change, too.
    let both = await world.run("contacts edit Grace --after 1h --note key")
    #expect(both.exitCode == 0)
    let contacts = await world.run("contacts --json").output
    #expect(contacts.contains(#""after":3600"#) && contacts.contains(#""note":"key""#))
    let refused = await world.run("contacts edit Grace --after 5m")
    #expect(refused.exitCode == 2)
    #expect(refused.errorOutput.contains("after 15 minutes to 24 hours"))
  }
}
