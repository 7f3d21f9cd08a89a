import Clients
import DeliveryTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Delivery

/// WCH-2: heartbeats to a service that raises an alarm when they stop.
@Suite(.timeLimit(.minutes(2)))
struct HeartbeatTests {
  final class World: Sendable {
    let now = Mutex(start)
    let log = Mutex<[String]>([])

    func sender() -> HeartbeatSender {
      HeartbeatSender(
        dateClient: DateClient(now: { [self] in now.withLock { $0 } }, calendar: .utc),
        limits: .init(connect: .seconds(20)),
        log: { [self] line in log.withLock { $0.append(line) } })
    }

    func wait(_ seconds: Int) { now.withLock { $0 = $0 + .seconds(seconds) } }
  }

  @Test("WCH-2: the heartbeat address is requested once per interval")
  func pace() async throws {
    let (server, world) = (try HTTPServer(), World())
    let sender = world.sender()
    let settings = HeartbeatSettings(url: server.url + "/ping/abc", every: .minutes(1))
    for seconds in [0, 10, 49, 1, 30, 30] {
      world.wait(seconds)
      await sender.beat(settings, isFailing: false)?.value
    }
    #expect(server.requests.map(\.path) == Array(repeating: "/ping/abc", count: 3))
    #expect(server.requests.map(\.method) == ["GET", "GET", "GET"])
    #expect(world.log.withLock { $0 } == [])
  }

  @Test("WCH-2: a heartbeat reports at once that nothing can be delivered, and when that ends")
  func failing() async throws {
    let (server, world) = (try HTTPServer(), World())
    let sender = world.sender()
    let settings = HeartbeatSettings(url: server.url + "/ping", every: .minutes(5))
    for isFailing in [false, true, true, false] {
      world.wait(10)
      await sender.beat(settings, isFailing: isFailing)?.value
    }
    #expect(server.requests.map(\.path) == ["/ping", "/ping/fail", "/ping"])
    #expect(server.requests.map(\.body) == ["", "", ""], "nothing is sent of the reason")
  }

  @Test("A failing heartbeat service is logged once and asked again at the usual interval")
  func away() async throws {
    let (server, world) = (
      try HTTPServer { _, number in .reply(number < 3 ? 503 : 200) }, World()
    )
    let sender = world.sender()
    let settings = HeartbeatSettings(url: server.url, every: .minutes(1))
    for _ in 1...3 {
      await sender.beat(settings, isFailing: false)?.value
      world.wait(60)
    }
    #expect(server.connections == 3)
    #expect(
      world.log.withLock { $0 } == [
        "heartbeat: the heartbeat's service asked us to try again later (503)",
        "heartbeat: the service answers again",
      ])
  }

  @Test(
    "WCH-2: a heartbeat that the service refuses is a problem, even if the status is 200",
    arguments: [
      (200, "OK", nil),
      (404, "not found", "didn't accept it (404)"),
      (200, "OK (not found)", "didn't accept it (200)"),
      (200, "OK (rate limited)", "takes no more messages now (200)"),
      (200, #"{"ok":false,"msg":"Monitor not found or not active."}"#, "didn't accept it (200)"),
      (200, "<!DOCTYPE html><title>Uptime</title>", "answered with a web page"),
      (404, "", "doesn't know the address (404)"), (302, "", "leads elsewhere (302)"),
    ] as [(Int, String, String?)])
  func refused(status: Int, body: String, problem: String?) async throws {
    let server = try HTTPServer { _, _ in .reply(status, body: body) }
    let sender = World().sender()
    await sender.beat(HeartbeatSettings(url: server.url), isFailing: false)?.value
    #expect((sender.problem == nil) == (problem == nil))
    if let problem {
      #expect(sender.problem?.hasPrefix("The heartbeat of config.json5 doesn't count: ") == true)
      #expect(sender.problem?.contains(problem) == true, "\(sender.problem ?? "")")
    }
  }

  @Test("While a heartbeat is on its way, no other starts")
  func oneAtATime() async throws {
    let gate = Gate()
    let server = try HTTPServer { _, _ in
      gate.wait()
      return .reply(200)
    }
    let world = World()
    let sender = world.sender()
    let settings = HeartbeatSettings(url: server.url, every: .minutes(1))
    let first = sender.beat(settings, isFailing: false)
    world.wait(3_600)
    #expect(sender.beat(settings, isFailing: true) == nil)
    gate.open()
    await first?.value
    #expect(sender.beat(settings, isFailing: true) != nil)
  }
}
