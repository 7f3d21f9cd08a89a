import Domain
import FoundationEssentials
import Monitor
import Synchronization
import Testing

@MainActor @Suite struct DeliveryServiceTests {
  @Test("WCH-2: a monitor's heartbeat outside the store reports which channels have problems")
  func shown() async throws {
    let world = World()
    try await world.openAccount(responders: ["Bob"])
    let shown = Mutex<[[Channel.Kind: String]]>([])
    let problem = Mutex<String?>(nil)
    let deliveryService = DeliveryService(
      readiness: { .init(problems: problem.withLock { $0 }.map { [.email: $0] } ?? [:]) },
      heartbeat: { problems in shown.withLock { $0.append(problems) } },
      deliver: world.mailbox.deliver)
    _ = await world.monitor(deliveryService: deliveryService).runOnce()
    problem.withLock { $0 = "mail is not set up" }
    _ = await world.monitor(deliveryService: deliveryService).runOnce()
    #expect(shown.withLock { $0 } == [[:], [.email: "mail is not set up"]])
  }
}
