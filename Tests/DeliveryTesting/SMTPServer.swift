import FoundationEssentials
import Glibc
import Synchronization

/// A mail server on a local port whose answers the test chooses.
///
/// Each connection has its own thread. Nothing here ever sleeps.
package final class SMTPServer: Sendable {
  /// A step of the client.
  package enum Step: Equatable, Sendable {
    case connected
    case hello
    case startTLS
    /// The command that names a mechanism, before the client has sent anything secret.
    case auth(String)
    /// The client's answer to the challenge, decoded.
    case login(String)
    case mail(String)
    case recipient(String)
    case data
    /// The message, after its final dot. It counts as accepted if the answer begins with 2.
    case message(Message)
    case quit
  }

  package enum Answer: Sendable {
    /// Sends this line. The text has no line break.
    case reply(String)
    /// Doesn't answer until the client disconnects.
    case silence
    /// Closes the connection.
    case cut
    /// Accepts the message and closes the connection without an answer.
    case acceptAndCut
    /// Accepts the message but doesn't answer until the client disconnects.
    case acceptAndSilence
    /// Waits until the gate opens, then answers as usual.
    case wait(Gate)
    /// Repeats a line until the client disconnects.
    case endless(String)
    /// Repeats a line every few milliseconds until the client disconnects.
    case drip(String)
    /// Sends a line and closes the connection.
    case replyAndCut(String)
  }

  package struct Message: Equatable, Sendable {
    package var sender: String
    package var recipients: [String]
    /// Header and body with `\n`, dots unstuffed.
    package var text: String
  }

  /// The answer to a step of a connection, counted from 1, or `nil` for the usual answer.
  package typealias Script = @Sendable (_ step: Step, _ connection: Int) -> Answer?

  private struct Contents {
    var accepted: [Message] = []
    var connections = 0
    var steps: [Step] = []
    var names: [String] = []
    var waiting:
      [(isReached: @Sendable ([Message], [Step]) -> Bool, CheckedContinuation<Void, Never>)] = []
    var isClosed = false
  }

  package let port: Int
  private let socket: Int32
  private let extensions: [String]
  private let script: Script
  private let contents = Mutex(Contents())

  /// Starts the server.
  /// - Parameter extensions: The lines of the answer to EHLO.
  package init(extensions: [String] = ["8BITMIME"], script: @escaping Script = { _, _ in nil })
    throws
  {
    self.extensions = extensions
    self.script = script
    (socket, port) = try Listener.open()
    Listener.startThread { [self] in acceptConnections() }
  }

  /// The accepted messages, in order.
  package var accepted: [Message] { contents.withLock { $0.accepted } }
  /// The steps of all clients, in order.
  package var steps: [Step] { contents.withLock { $0.steps } }
  /// The names that clients gave in EHLO, in order.
  package var names: [String] { contents.withLock { $0.names } }
  package var connections: Int { contents.withLock { $0.connections } }

  /// Waits until `count` messages have been accepted.
  package func waitForMessages(_ count: Int) async {
    await wait { accepted, _ in accepted.count >= count }
  }

  /// Waits until a client has taken a step.
  package func waitForStep(_ isWanted: @escaping @Sendable (Step) -> Bool) async {
    await wait { _, steps in steps.contains(where: isWanted) }
  }

  /// Waits until the accepted messages and the steps fulfil a condition.
  package func wait(until isReached: @escaping @Sendable ([Message], [Step]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReachedAlready = contents.withLock { contents in
        if isReached(contents.accepted, contents.steps) { return true }
        contents.waiting.append((isReached, continuation))
        return false
      }
      if isReachedAlready { continuation.resume() }
    }
  }

  /// Refuses connections from now on.
  package func close() {
    let wasOpen = contents.withLock { contents in
      defer { contents.isClosed = true }
      return !contents.isClosed
    }
    if wasOpen { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  // MARK: Threads

  private func acceptConnections() {
    Listener.accept(on: socket) { connection in
      let number = contents.withLock { contents in
        contents.connections += 1
        return contents.connections
      }
      Listener.startThread { [self] in
        Conversation(server: self, socket: connection, number: number).serve()
      }
    }
  }

  private func note(_ change: (inout Contents) -> Void) {
    let reached = contents.withLock { contents in
      change(&contents)
      let (accepted, steps) = (contents.accepted, contents.steps)
      let reached = contents.waiting.filter { $0.isReached(accepted, steps) }
      contents.waiting.removeAll { $0.isReached(accepted, steps) }
      return reached.map(\.1)
    }
    for continuation in reached { continuation.resume() }
  }

  // MARK: Conversation

  private struct Conversation {
    let server: SMTPServer
    let socket: Int32
    let number: Int
    var buffer: [UInt8] = []
    var message = Message(sender: "", recipients: [], text: "")

    init(server: SMTPServer, socket: Int32, number: Int) {
      self.server = server
      self.socket = socket
      self.number = number
    }

    func serve() {
      var conversation = self
      defer { Glibc.close(socket) }
      guard conversation.answer(.connected, "220 test ESMTP") else { return }
      while let line = conversation.readLine(), conversation.handle(line) {}
    }

    /// Answers a line of the client.
    /// - Returns: Whether the conversation continues.
    private mutating func handle(_ line: String) -> Bool {
      let argument = line.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
      switch line.prefix(4).uppercased() {
      case "EHLO", "HELO":
        let name = String(line.dropFirst(5))
        server.note { $0.names.append(name) }
        let lines = ["test"] + server.extensions
        let reply = lines.enumerated()
          .map { "250\($0 == lines.count - 1 ? " " : "-")\($1)" }.joined(separator: "\r\n")
        return answer(.hello, reply)
      case "STAR": return answer(.startTLS, "454 no TLS here")
      case "AUTH":
        let mechanism = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        server.note { $0.steps.append(.auth(mechanism)) }
        if case .reply(let refusal) = server.script(.auth(mechanism), number) {
          return send(refusal)
        }
        guard let login = line.uppercased().hasPrefix("AUTH LOGIN") ? readLogin() : readPlain()
        else { return false }
        return answer(.login(login), "235 welcome")
      case "MAIL":
        message = Message(sender: argument, recipients: [], text: "")
        return answer(.mail(argument), "250 ok")
      case "RCPT":
        message.recipients.append(argument)
        return answer(.recipient(argument), "250 ok")
      case "DATA":
        guard answer(.data, "354 go on") else { return false }
        guard let text = readMessage() else { return false }
        message.text = text
        return answer(.message(message), "250 queued")
      case "QUIT":
        _ = answer(.quit, "221 bye")
        return false
      default: return send("502 what?")
      }
    }

    /// Reads the answer to AUTH PLAIN: an empty name, the user and the password.
    private mutating func readPlain() -> String? {
      guard send("334 "), let response = readLine() else { return nil }
      return Self.decode(response).replacing("\0", with: " ")
    }

    /// Asks the two questions of AUTH LOGIN.
    private mutating func readLogin() -> String? {
      guard send("334 VXNlcm5hbWU6"), let name = readLine(), send("334 UGFzc3dvcmQ6"),
        let password = readLine()
      else { return nil }
      return "LOGIN \(Self.decode(name)) \(Self.decode(password))"
    }

    private static func decode(_ base64: String) -> String {
      String(decoding: Data(base64Encoded: base64).map { Array($0) } ?? [], as: UTF8.self)
    }

    private func answer(_ step: Step, _ usual: String) -> Bool {
      let answer = server.script(step, number) ?? .reply(usual)
      server.note { $0.steps.append(step) }
      switch answer {
      case .reply(let text):
        if text.hasPrefix("2") { accept(step) }
        // A refused DATA command isn't followed by a message.
        return send(text) && (step != .data || text.hasPrefix("354"))
      case .silence:
        waitForEnd()
        return false
      case .cut: return false
      case .acceptAndCut:
        accept(step)
        return false
      case .acceptAndSilence:
        accept(step)
        waitForEnd()
        return false
      case .wait(let gate):
        gate.wait()
        accept(step)
        return send(usual)
      case .endless(let line):
        while send(line) {}
        return false
      case .drip(let line):
        while send(line), Listener.isOpen(socket, for: 20) {}
        return false
      case .replyAndCut(let line):
        _ = send(line)
        return false
      }
    }

    private func accept(_ step: Step) {
      guard case .message(let message) = step else { return }
      server.note { $0.accepted.append(message) }
    }

    private mutating func readMessage() -> String? {
      var lines: [String] = []
      while let line = readLine() {
        if line == "." { return lines.joined(separator: "\n") + "\n" }
        lines.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
      }
      return nil
    }

    private mutating func readLine() -> String? {
      while true {
        if let end = buffer.firstIndex(of: 0x0A) {
          var line = buffer[..<end]
          if line.last == 0x0D { line.removeLast() }
          let text = String(decoding: line, as: UTF8.self)
          buffer.removeSubrange(...end)
          return text
        }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { return nil }
        buffer += chunk[..<count]
      }
    }

    private func send(_ text: String) -> Bool {
      Listener.send((text + "\r\n").utf8, to: socket)
    }

    private func waitForEnd() { Listener.waitForEnd(of: socket) }
  }
}
