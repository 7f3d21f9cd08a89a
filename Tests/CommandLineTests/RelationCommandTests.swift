import Clients
import Composable
import Domain
import FoundationEssentials
import SQLite
import Testing

@testable import CommandLine

/// `lifesignal ping`, and `lifesignal contacts` with other accounts.
struct RelationCommandTests {
  let world = World()

  /// Creates Mary's account in the same store as Ada's.
  private func openMary() async throws -> DependencyValues {
    var mary = DependencyValues()
    world.platform.with(account: "mary@example.org").install(in: &mary)
    _ = try await mary.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Mary Ward", phone: "+442071838750"),
        credentials: Credentials(email: "mary@example.org", password: Secret("four random words"))
      ))
    return mary
  }

  @Test("CON-2: contacts add CODE sends a request; accepting the request makes the contact active")
  func contacts() async throws {
    await world.openAccount()
    let mary = try await openMary()
    let code = try await mary.userClient.currentUser().code.text
    await world.expect(
      "contacts add \(code.uppercased()) --role dependent",
      .init(0, "Sent Mary Ward a request. They become a contact when they accept.\n"))
    #expect(
      await world.run("contacts").output.contains("Mary Ward     dependent  has not answered"))
    let id = try #require(try await mary.contactsClient.contacts().first).id
    _ = try await mary.contactsClient.accept(id)
    #expect(
      await world.run("contacts").output.contains("Mary Ward     dependent  1d left"))
    let json = await world.run("contacts --json").output
    #expect(json.contains(#""state":"active","status":"ok","deadline":"2026-11-22T07:52:00Z""#))
    await world.expect(
      "contacts add \(code)",
      .init(
        1,
        error: "lifesignal: Mary Ward is already a contact, or has your request."
          + " Open that contact instead.\n"))
  }

  @Test("QR-1: contacts add --image refuses a foreign QR code, a missing file and an extra code")
  func image() async throws {
    await world.openAccount()
    world[\.overrides] = { values in
      values.fileClient.path = { "/home/ada/" + $0 }
      values.fileClient.contents = { (path: String, _: Int) throws(LocalFileError) in
        guard path == "/home/ada/code.png" else { throw .notFound(path: path) }
        return Data()
      }
      values.qrCodeClient.text = { (_: Data) throws(QRCodeError) in "https://example.org" }
    }
    await world.expect(
      "contacts add --image code.png",
      .init(
        1,
        error:
          "lifesignal: The QR code in the picture isn't a LifeSignal code. Ask for theirs; they"
          + " can show it with k.\n"))
    await world.expect(
      "contacts add --image none.png",
      .init(
        1,
        error: "lifesignal: /home/ada/none.png doesn't exist. Check the path.\n"))
    await world.expect(
      "contacts add 7k3qf9zd --image code.png",
      .init(
        2,
        error: "lifesignal: --image: A picture takes the place of a code. Leave one of them out.\n"
      ))
  }

  @Test("CON-2: contacts accept NAME and contacts decline NAME answer a request")
  func answer() async throws {
    await world.openAccount()
    let mary = try await openMary()
    let code = try await world.values.userClient.currentUser().code
    _ = try await mary.contactsClient.request(code, .responder)
    #expect(await world.run("contacts accept ada").exitCode == 1)
    await world.expect(
      "contacts decline mary", .init(0, "Declined. Mary Ward will be notified.\n"))
    _ = try await mary.contactsClient.request(code, .responder)
    await world.expect(
      "contacts accept mary", .init(0, "Accepted: Mary Ward – you respond for them.\n"))
  }

  @Test("A missing or wrong word, code or role after contacts, ping or open exits with 2")
  func mistakes() async {
    await world.openAccount()
    for words in [
      "contacts join", "contacts add", "contacts add 123", "contacts accept",
      "contacts add 6f1c2d80-0000-4000-8000-00000000beef --role friend", "ping",
      "open", "open https://example.org",
    ] {
      #expect(await world.run(words).exitCode == 2, "\(words)")
    }
  }

  @Test("PNG-1: ping NAME asks a dependent to check in, once at a time; --withdraw undoes the ping")
  func ping() async throws {
    await world.openAccount()
    let mary = try await openMary()
    let code = try await mary.userClient.currentUser().code
    let request = try await world.values.contactsClient.request(code, .dependent)
    await world.expect(
      ["ping", "Mary"],
      .init(
        1,
        error: "lifesignal: You can only ping your dependents. Check this contact's roles.\n"))
    _ = try await mary.contactsClient.accept(request.id)
    await world.expect(
      "ping grace",
      .init(
        1,
        error: "lifesignal: You have no dependent with an account called “grace”."
          + " See lifesignal contacts.\n"))
    let ping = await world.run("ping mary")
    #expect(ping.exitCode == 0)
    #expect(ping.output.hasPrefix("Asked Mary Ward to check in. They see it in LifeSignal;"))
    #expect(ping.output.contains("The ping expires tomorrow"))
    #expect(await world.run("ping mary").errorOutput.contains("has not answered your last ping"))
    await world.expect(
      "ping mary --withdraw", .init(0, "Withdrew the ping to Mary Ward.\n"))
    #expect(await world.run("ping mary --withdraw").exitCode == 1)
  }
}
