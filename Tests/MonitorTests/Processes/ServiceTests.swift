import Clients
import DeliveryTesting
import Domain
import SQLite
import Foundation
import Glibc
import Testing

/// The built program as a service, and its messages to the service manager's socket.
@Suite(.timeLimit(.minutes(2))) struct ServiceTests {
  @Test(
    "The monitor notifies systemd when it is ready, alive and stopping",
    arguments: [false, true])
  func notifies(abstract: Bool) async throws {
    let home = try Home()
    try await home.openAccount()
    let server = try SMTPServer()
    try home.configure(server)
    let manager = try ManagerSocket(isAbstract: abstract)
    let process = try home.start(
      adding: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000"])
    let first = await manager.next()
    #expect(first == "READY=1\nWATCHDOG=1\nSTATUS=watching 1 account, 0 waiting")
    #expect(await manager.next().hasPrefix("WATCHDOG=1"))
    #expect(await manager.next().hasPrefix("WATCHDOG=1"))
    process.send(SIGTERM)
    var last = ""
    repeat { last = await manager.next() } while last.hasPrefix("WATCHDOG=1")
    #expect(last == "STOPPING=1\nSTATUS=finishing what is being sent")
    #expect(await process.exitCode() == 0)
  }

  @Test("A missing or malformed NOTIFY_SOCKET doesn't keep the monitor from running")
  func nobodyListens() async throws {
    for name in ["/nowhere/notify", "@", "relative", "/" + String(repeating: "x", count: 200)] {
      let home = try Home()
      try await home.openAccount()
      let clients = try home.clients()
      let process = try home.start(adding: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "soon"])
      for try await status in clients.watchClient.observe() where status.monitors == 1 { break }
      process.send(SIGTERM)
      #expect(await process.exitCode() == 0)
    }
  }

  @Test("--once makes the day's backup and logs the backup's name")
  func backup() async throws {
    let home = try Home()
    try await home.openAccount()
    let server = try SMTPServer()
    try home.configure(server)
    let (code, output) = try await home.run("--once")
    #expect(code == 0)
    let backups = try EmbeddedPlatform.backups(folders: home.folders).map(\.name)
    #expect(backups.count == 1)
    #expect(output.contains("info backup \(backups[0]) made\n"))
  }
}

/// A service manager's socket.
final class ManagerSocket: Sendable {
  let name: String
  private let descriptor: Int32

  init(isAbstract: Bool) throws {
    let unique = "lifesignal-\(UUID().uuidString)"
    name = isAbstract ? "@" + unique : NSTemporaryDirectory() + unique
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: bytes)
      if isAbstract { $0[0] = 0 }
    }
    let length = MemoryLayout.offset(of: \sockaddr_un.sun_path)! + bytes.count
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(length))
      }
    }
    try #require(result == 0)
  }

  deinit {
    close(descriptor)
    unlink(name)
  }

  /// Waits for the next message.
  func next() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [descriptor] in
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        continuation.resume(
          returning: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
      }
    }
  }
}

/// `lifesignal-monitor --test-delivery`.
@Suite(.timeLimit(.minutes(2))) struct TestDeliveryTests {
  @Test("--test-delivery sends to the person's own address, in a message marked as a test")
  func sent() async throws {
    let home = try Home()
    _ = try await home.clients().authClient.createAccount(
      .named("Ada", responders: ["Bob"], email: "ada@example.org"))
    let server = try SMTPServer()
    try home.configure(server)
    let (code, output) = try await home.run("--test-delivery")
    #expect(code == 0)
    #expect(output == "A test message was sent to ada@example.org.\n")
    #expect(server.accepted.map(\.recipients) == [["<ada@example.org>"]])
    let text = try #require(server.accepted.first?.text)
    #expect(text.contains("\nSubject: A test message from LifeSignal\n"))
    #expect(text.contains("\nAuto-Submitted: auto-generated\n"))
    #expect(text.contains("This is the test you asked for"))
  }

  @Test("--test-delivery without an address in the profile sends to the sender's address")
  func toSender() async throws {
    let home = try Home()
    try await home.openAccount()
    let server = try SMTPServer()
    try home.configure(server)
    #expect(try await home.run("--test-delivery").code == 0)
    #expect(server.accepted.map(\.recipients) == [["<a@example.org>"]])
  }

  @Test("--test-delivery exits with 1 and says why if the message can't be sent")
  func refused() async throws {
    let home = try Home()
    let noAccount = try await home.run("--test-delivery")
    #expect(noAccount.code == 1 && noAccount.output.contains("There is no account here yet."))
    try await home.openAccount()
    let notSetUp = try await home.run("--test-delivery")
    #expect(notSetUp.code == 1 && notSetUp.output.contains("Mail isn't set up"))
    let server = try SMTPServer { step, _ in
      step == .recipient("<a@example.org>") ? .reply("550 no such user") : nil
    }
    try home.configure(server)
    let refused = try await home.run("--test-delivery")
    #expect(refused.code == 1)
    #expect(refused.output.contains("lifesignal-monitor: a@example.org: the mail server refused"))
    #expect(server.accepted.isEmpty)
    #expect(try await home.run("--test-delivery", "--once").code == 2)
  }
}
