import Benching
import Clients
import Glibc
import Terminal
import TerminalTesting

/// Measures the time from the program's start to its first frame with the deadline, for an account
/// on this machine and for one on a server that is near, gone or hanging. The cases alternate, so
/// that all run under the same conditions.
@MainActor
func measureJoinedStart(of program: String, server serverProgram: String, _ bench: Bench) throws {
  let own = try BenchHome(program: program)
  try run(own.open("init", "--name", "Ada"))
  let joined = try BenchHome(program: program)
  let data = joined.folders.data + "-server"
  let port = 20_000 + Int(getpid()) % 20_000
  try run(
    joined.open(
      program: serverProgram,
      [
        "init", "--data", data, "--url", "http://127.0.0.1:\(port)", "--listen",
        "127.0.0.1:\(port)",
      ]))
  // Discard its log, because nobody reads this terminal.
  func startServer() throws(PTYError) -> PTY {
    try joined.open(
      program: "/bin/sh",
      ["-c", "exec \"$0\" run --data \"$1\" >/dev/null 2>&1", serverProgram, data])
  }
  var server = try startServer()
  defer { server.signal(SIGKILL) }
  let invitation = try joined.open(program: serverProgram, ["invite", "--data", data])
  try run(invitation)
  let text = String(decoding: invitation.output, as: UTF8.self)
  guard
    let link = text.split(whereSeparator: \.isWhitespace).last(where: { $0.contains("://join/") })
  else { throw Complaint("There is no invitation in \(text)") }
  let join = try joined.open(
    "join", String(link), "--name", "Ada", "--email", "ada@example.org")
  for question in ["New password", "Repeat it"] {
    try join.wait { $0.contains(question) }
    join.send("three random words\r")
  }
  try run(join)

  bench.table("the first frame with the deadline", "median ms", "worst ms", "of the first")
  enum Case: String, CaseIterable {
    case embedded = "on this machine", near = "at a server that is near"
    case gone = "at a server that is gone", hung = "at a server that hangs"
  }
  var times: [Case: [Double]] = [:]
  for round in 0...15 {
    for it in Case.allCases {
      switch it {
      case .embedded, .near: break
      case .hung: server.signal(SIGSTOP)
      case .gone:
        server.signal(SIGKILL)
        try server.waitForExit()
      }
      let start = ContinuousClock.now
      let app = try (it == .embedded ? own : joined).open()
      try app.wait { $0.contains("Check in now") }
      // The first round doesn't count: it may find cold caches, and must ask the server.
      if round > 0 { times[it, default: []].append(start.duration(to: .now) / .milliseconds(1)) }
      if it == .near { try app.wait { !$0.contains("reconnecting") && $0.contains("unwatched") } }
      app.signal(SIGKILL)
      try app.waitForExit()
      switch it {
      case .embedded, .near: break
      case .hung: server.signal(SIGCONT)
      case .gone: server = try startServer()
      }
    }
  }
  let medians = times.mapValues { $0.sorted()[$0.count / 2] }
  for it in Case.allCases {
    let (median, own) = (medians[it] ?? 0, medians[.embedded] ?? 1)
    bench.row(
      it.rawValue, [figure(median), figure(times[it]?.max() ?? 0), "\(figure(median / own)) ×"])
  }
}

private func run(_ command: PTY) throws {
  guard try command.waitForExit() == .exited(0) else {
    throw Complaint(command.screen.text)
  }
}
