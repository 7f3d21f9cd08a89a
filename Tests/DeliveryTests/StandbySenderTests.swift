import Clients
import DeliveryTesting
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// WCH-2: services that notice when this machine falls silent.
@Suite(.timeLimit(.minutes(2)))
struct StandbySenderTests {
  private let sender = StandbySender(dateClient: .constant(start))

  private func duty(_ topic: String) -> StandbyDuty {
    let user = ClaimedDelivery.ada(.allClear).user
    return StandbyDuty(
      account: user.id, name: "Ädä", deadline: user.deadline, standby: Standby(topic: topic))
  }

  @Test("A standby heartbeat is a GET to its address, and a failed one has a reason")
  func heartbeat() async throws {
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    #expect(await sender.beat(server.url + "/ping/ada", isFailing: false) == .sent)
    #expect(server.requests.map(\.path) == ["/ping/ada"])
    #expect(server.requests.map(\.method) == ["GET"])
    #expect(await sender.beat("http://127.0.0.1:1/", isFailing: false).reason != nil)
  }

  @Test("WCH-2: a heartbeat that reports a failure adds /fail to the path, before the query")
  func failing() async throws {
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    for path in ["/ping/ada", "/ping/ada/", "/ping?create=1", "/ping/?a=b/c"] {
      #expect(await sender.beat(server.url + path, isFailing: true) == .sent)
    }
    #expect(
      server.requests.map(\.path) == [
        "/ping/ada/fail", "/ping/ada/fail", "/ping/fail?create=1", "/ping/fail?a=b/c",
      ])
  }

  @Test("A standby message with the deadline is scheduled and cancelled under the account's id")
  func message() async throws {
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    let duty = duty(server.url + "/t")
    let waiting = WaitingMessage(topic: server.url + "/t", date: start + .hours(25))
    #expect(await sender.move(.schedule(waiting), duty) == .sent)
    #expect(await sender.move(.cancel(waiting), duty) == .sent)
    let place = "/t/00000000-0000-0000-0000-000000000001"
    #expect(server.requests.map(\.path) == [place, place])
    #expect(server.requests.map(\.method) == ["POST", "DELETE"])
    #expect(server.requests.first?.headers["at"] == "1795090000")
    let text = try #require(server.requests.first?.body)
    #expect(
      text.contains(
        "nobody knows whether they checked in. Their deadline: Thu 2026-11-19 11:06 UTC."))
  }
}
