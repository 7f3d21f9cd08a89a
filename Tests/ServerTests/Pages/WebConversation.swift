import Clients
import ComposableTesting
import Domain
import Foundation
import Synchronization
import Testing

@testable import Web

let start = Date(timeIntervalSince1970: 1_795_000_000)

/// A store of a few codes, which records its requests.
final class Codes: Sendable {
  let asked = Mutex<[String]>([])
  let used = Mutex<Set<String>>([])
  let now = Mutex(start)
  let call = Mutex(
    ResponseInvitation.Call(
      alert: Alert(
        id: UUID(), kind: .manual, message: "fell on the <stairs>", raisedAt: start - .minutes(5)),
      phone: "+442071838750", note: "Key with Tom", lastCheckIn: start - .hours(3)))

  let link = Mutex(LinkCheckIn(person: "<b>Ada", deadline: start + .hours(1), state: .ready))

  var pages: ResponderPages {
    var client = ResponseClient()
    client.invitation = { [self] code throws(ClientError) in
      asked.withLock { $0.append("look \(code)") }
      return try invitation(code)
    }
    client.respondByLink = { [self] code throws(ClientError) in
      asked.withLock { $0.append("press \(code)") }
      let invitation = try invitation(code)
      used.withLock { _ = $0.insert(code) }
      call.withLock { call in
        call.alert.acknowledgements.append(
          Acknowledgement(responder: UUID(), name: "Grace", date: now.withLock { $0 }))
      }
      return Response(
        kind: invitation.call == nil ? .declined : .acknowledged, person: invitation.person,
        responder: invitation.responder)
    }
    client.withdraw = { [self] code, _ throws(ClientError) in
      asked.withLock { $0.append("withdraw \(code)") }
      used.withLock { _ = $0.remove(code) }
      call.withLock { $0.alert.acknowledgements = [] }
    }
    client.checkInLink = { [self] code throws(ClientError) in try checkInLink(code) }
    client.checkIn = { [self] code throws(ClientError) in
      let passphrase = TypedSecrets.passphrase(for: .checkIn)
      var link = try checkInLink(code)
      asked.withLock { $0.append("check in with \(passphrase?.value ?? "nothing")") }
      if link.state == .needsPassphrase, passphrase == nil, link.missed != nil {
        link.missed?.passedOnAt = start
      } else if link.state == .needsPassphrase {
        if passphrase?.value == "locked" { throw .gate(.locked(until: start + .minutes(5))) }
        guard let passphrase else { throw .gate(.required) }
        guard passphrase.value == "blue & café" else { throw .gate(.wrong) }
      }
      if case .endsNothing = link.state {
        link.state = .passedOn(start)
        link.missed?.passedOnAt = start
      } else if link.missed?.passedOnAt == nil {
        link.state = .checkedIn(start)
      }
      self.link.withLock { [link] in $0 = link }
      return link
    }
    return ResponderPages(client: client, dateClient: dateClient)
  }

  private func checkInLink(_ code: String) throws(ClientError) -> LinkCheckIn {
    guard code == "CHECK1N234" else { throw .responseCodeUnknown }
    return link.withLock { $0 }
  }

  var dateClient: DateClient {
    DateClient(now: { [self] in now.withLock { $0 } }, calendar: .fixed(secondsFromGMT: 3_600))
  }

  private func invitation(_ code: String) throws(ClientError) -> ResponseInvitation {
    let hasResponded = used.withLock { $0.contains(code) }
    switch code {
    case "7K3QF9ZD2M":
      return ResponseInvitation(
        person: "<b>Ada", responder: "Grace", hasResponded: hasResponded,
        call: call.withLock { $0 })
    case "DECL1NE123":
      return ResponseInvitation(person: "Ada", responder: "Grace", hasResponded: hasResponded)
    case "ENDED12345": throw .alertEnded(person: "Ada")
    case "BROKEN1234": throw .storage(.busy)
    default: throw .responseCodeUnknown
    }
  }
}

struct Page {
  var status: Int
  var header: String
  var body: String
}

/// Writes bytes to the server and reads until it closes the connection.
func exchange(_ bytes: String, port: Int, from: UInt32 = 0x7F00_0001) throws -> String {
  let connection = try connect(to: port, from: from)
  defer { close(connection) }
  var rest = Array(bytes.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { break }
    rest = rest.dropFirst(count)
  }
  return read(from: connection)
}

func connect(to port: Int, from: UInt32 = 0x7F00_0001) throws -> Int32 {
  let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  func with(
    _ host: UInt32, _ port: Int, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = host.bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
  }
  try with(from, 0) { Glibc.bind(connection, $0, $1) }
  try with(0x7F00_0001, port) { Glibc.connect(connection, $0, $1) }
  return connection
}

func read(from connection: Int32) -> String {
  var answer: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = recv(connection, &chunk, chunk.count, 0)
    guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
    answer += chunk[..<count]
  }
}

func page(
  _ request: String, _ server: WebServer, body: String = "", header: String = "",
  from: UInt32 = 0x7F00_0001
) throws -> Page {
  let text = try exchange(
    "\(request) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\(header)\r\n"
      + body, port: server.port, from: from)
  let end = try #require(text.firstRange(of: "\r\n\r\n"), "\(text)")
  let header = String(text[..<end.lowerBound])
  let status = try #require(header.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  return Page(status: status, header: header, body: String(text[end.upperBound...]))
}

func server(_ codes: Codes, silence: UInt32 = 5) throws -> WebServer {
  var limits = WebServer.Limits()
  limits.silence = silence
  return try WebServer(host: "127.0.0.1", port: 0, limits: limits, pages: codes.pages)
}

/// The value of a task, advancing the clock until it is available, since a server's tasks start to
/// wait at unpredictable times.
func value<Value: Sendable>(
  of task: Task<Value, any Error>, as clock: TestClock
) async throws -> Value {
  let passing = Task {
    while !Task.isCancelled { await clock.advance(by: .seconds(15)) }
  }
  defer { passing.cancel() }
  return try await task.value
}

/// Runs blocking code on its own thread.
func away<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result(catching: body)) }.start()
  }
}
