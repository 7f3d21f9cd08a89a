import Clients
import Domain
import Monitor
import Testing

@testable import CommandLine

/// `lifesignal drill`: ALT-6.
struct DrillCommandTests {
  let world = World()

  @Test("ALT-6: drill notifies every responder, reports how fast, and leaves the status at ok")
  func everybody() async {
    await world.openAccount()
    await world.expect(
      "drill",
      .init(
        0,
        """
        The drill started today 07:52.
        Alan Turing   email  sent at once
        Grace Hopper  email  sent at once
        Drill: sent to all 2 responders, at once.

        """))
    #expect(world[\.monitorsStarted] == 1)
    #expect(await world.run("status").exitCode == 0)
  }

  @Test("ALT-6: the drill report aligns its columns for names with wide characters")
  func wideNames() async throws {
    await world.openAccount()
    _ = try await world.values.contactsClient.add(
      ContactDraft(validating: "李四", email: "li@example.org", roles: .responder))
    #expect(
      await world.run("drill").output.contains(
        "Grace Hopper  email  sent at once\n李四          email  sent at once\n"))
  }

  @Test("ALT-6: if a responder's message fails, drill names the responder and exits with 1")
  func somebody() async {
    await world.openAccount()
    world[\.deliveryService] = DeliveryService { delivery in
      delivery.recipientName == "Grace Hopper" ? .sent : .permanent(reason: "550 no such user")
    }
    await world.expect(
      "drill",
      .init(
        1,
        """
        The drill started today 07:52.
        Alan Turing   email  not sent: 550 no such user
        Grace Hopper  email  sent at once

        """,
        error: "lifesignal: Drill: sent to 1 of 2 responders, at once.\n"))
  }

  @Test("ALT-6, ALT-8: drill --end or an alert ends a drill; during an alert, drill exits with 45")
  func ends() async throws {
    await world.openAccount()
    world[\.deliveryService] = DeliveryService { delivery in
      delivery.alert?.kind == .drill ? .retry(reason: "450 later", after: nil) : .sent
    }
    let drill = await world.run("drill")
    #expect(drill.exitCode == 1)
    #expect(drill.errorOutput.contains("not sent to any of 2 responders"))
    #expect(drill.errorOutput.contains("The monitor keeps trying"))
    #expect(drill.errorOutput.contains("run lifesignal drill --end"))
    await world.expect(
      "drill --end", .init(0, "The drill is over. Everyone who was sent it is notified.\n"))
    #expect(await world.run("drill").exitCode == 1)
    #expect(await world.run("alert on").exitCode == 0)
    #expect(await world.run("status").exitCode == 30)
    await world.expect("drill --end", .init(1, error: "lifesignal: No drill is on.\n"))
    let refusal = """
      A drill can't start while an alert is on. End the alert first.

      """
    await world.expect("drill", .init(45, error: "lifesignal: \(refusal)"))
    world[\.lines] = ["drill", "quit"].map(LineEvent.line)
    #expect(await world.run("--plain").output.contains("> drill\n\(refusal)"))
  }

  @Test("ALT-6: a drill that stays on because of one channel says so, and how to end the drill")
  func stillOn() async throws {
    await world.openAccount()
    let bo = try ContactDraft(
      validating: "Bo",
      channels: [ChannelDraft(.email, "bo@example.org"), ChannelDraft(.ntfy, "bo-1")],
      roles: .responder)
    _ = try await world.values.contactsClient.add(bo)
    world[\.deliveryService] = DeliveryService { delivery in
      delivery.channel == .ntfy ? .retry(reason: "500 later", after: nil) : .sent
    }
    let drill = await world.run("drill")
    #expect(drill.exitCode == 0)
    #expect(
      drill.output.hasSuffix(
        """
        Drill: sent to all 3 responders, at once.
        The drill stays on until each message was sent or refused. To end it now, run lifesignal drill --end.

        """), "\(drill)")
    #expect(await world.run("drill --end").exitCode == 0)
    let list = await world.run("channels --contact Bo").output
    #expect(list.contains("drill o") && !list.contains("alert"), "\(list)")
  }

  @Test("ALT-6: drill without responders exits with 1 and says that there was nobody to notify")
  func nobody() async {
    _ = await world.run(["init", "--name", "Ada Lovelace"])
    let outcome = await world.run("drill")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("Drill: there was nobody to notify."))
  }

  @Test func failsWhereNobodyCanSend() async {
    await world.openAccount()
    world[\.monitorFailure] = .unknown("no such program")
    let outcome = await world.run("drill")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.contains("Nobody can be notified: The store failed: no such program."))
  }
}
