import Clients
import DeliveryTesting
import Domain
import Synchronization
import Testing

@testable import Delivery

/// Mail servers that take their time.
@Suite(.timeLimit(.minutes(2)))
struct MailTimeTests {
  func sender(_ server: SMTPServer, _ limits: SMTPLimits = .init()) -> MailSender {
    let smtp = SMTPSettings(
      host: "127.0.0.1", port: server.port, security: .none, username: nil,
      from: "monitor@example.org")
    return MailSender(
      settings: .init(smtp: smtp, limits: limits), password: nil, dateClient: .constant(start))
  }

  @Test("A mail server has 5 minutes to greet and per command, and 10 minutes for its last answer")
  func limits() {
    let limits = SMTPLimits()
    #expect(limits.connect == .seconds(120))
    #expect(limits.secondConnection == .seconds(30))
    #expect(limits.greeting == .seconds(300))
    #expect(limits.command == .seconds(300))
    #expect(limits.block == .seconds(180))
    #expect(limits.verdict == .seconds(600))
  }

  @Test("A server that doesn't greet gets a second connection, which sends the message")
  func secondConnection() async throws {
    let server = try SMTPServer { step, connection in
      step == .connected && connection == 1 ? .silence : nil
    }
    let outcome = await sender(server, .init(secondConnection: .milliseconds(50)))
      .deliver(.ada(.alertOn))
    #expect(outcome == .sent)
    #expect(server.connections == 2 && server.accepted.count == 1)
  }

  @Test("A mail server that is slow after its greeting still gets the message only once")
  func noSecondConnection() async throws {
    let gate = Gate()
    let server = try SMTPServer { step, _ in step == .data ? .wait(gate) : nil }
    async let outcome = sender(server, .init(secondConnection: .milliseconds(20)))
      .deliver(.ada(.alertOn))
    await server.waitForStep { $0 == .data }
    gate.open()
    #expect(await outcome == .sent)
    #expect(server.accepted.count == 1)
    #expect(server.steps.count { $0 == .data } == 1)
  }

  @Test("Two connections greeted at the same moment send the message once, even under load")
  func race() async throws {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          let gate = Gate()
          // Both are greeted in the same moment, and both servers answer all they are asked.
          let server = try? SMTPServer { step, connection in
            guard step == .connected else { return nil }
            guard connection == 1 else {
              gate.open()
              return nil
            }
            return .wait(gate)
          }
          guard let server else { return }
          let outcome = await sender(server, .init(secondConnection: .milliseconds(5)))
            .deliver(.ada(.alertOn))
          #expect(outcome == .sent)
          #expect(server.accepted.count == 1)
          #expect(server.steps.count { $0 == .data } == 1)
        }
      }
    }
  }

  @Test("A second connection that the server refuses doesn't end the first")
  func turnedAway() async throws {
    let gate = Gate()
    let server = try SMTPServer { step, connection in
      guard step == .connected else { return nil }
      guard connection == 1 else {
        gate.open()
        return .replyAndCut("421 one connection is enough")
      }
      return .wait(gate)
    }
    let outcome = await sender(server, .init(secondConnection: .milliseconds(20)))
      .deliver(.ada(.alertOn))
    #expect(outcome == .sent)
    #expect(server.accepted.count == 1)
  }

  @Test("A missing answer to QUIT delays nothing, after success or refusal")
  func quit() async throws {
    // The test's time limit is shorter than that of a command.
    for isRefused in [false, true] {
      let server = try SMTPServer { step, _ in
        switch step {
        case .recipient where isRefused: .reply("550 blocked")
        case .quit: .silence
        default: nil
        }
      }
      let outcome = await sender(server).deliver(.ada(.alertOn))
      #expect(outcome.kind == (isRefused ? .retry : .sent))
    }
  }

  @Test("When a time limit passes, the reason says what the mail server didn't do")
  func words() async throws {
    let silent = try SMTPServer { step, _ in step == .connected ? .silence : nil }
    #expect(
      await sender(silent, .init(greeting: .milliseconds(50))).deliver(.ada(.alertOn)).reason
        == "the mail server didn't greet within 0 seconds")
    let stuck = try SMTPServer { step, _ in step == .data ? .silence : nil }
    #expect(
      await sender(stuck, .init(command: .milliseconds(200))).deliver(.ada(.alertOn)).reason
        == "the mail server didn't answer within 0 seconds, the message")
  }
}
