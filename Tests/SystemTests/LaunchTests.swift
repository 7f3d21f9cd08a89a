import Glibc
import Processes
import Testing

struct LaunchTests {
  /// Runs a script of the shell, and returns what it wrote and its status.
  private func run(
    _ script: String, environment: [String]? = nil, directory: String? = nil,
    closesOtherFiles: Bool = false, group: Launch.Group = .shared
  ) throws -> (output: String, status: Int32) {
    let pipe = try #require(openPipe())
    defer { close(pipe.reading) }
    let id: pid_t
    do {
      defer { close(pipe.writing) }
      id = try Launch(
        "sh", ["-c", script], environment: environment, directory: directory,
        files: [
          STDIN_FILENO: .null, STDOUT_FILENO: .descriptor(pipe.writing),
          STDERR_FILENO: .descriptor(STDOUT_FILENO),
        ], closesOtherFiles: closesOtherFiles, group: group
      ).start()
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while true {
      let count = read(pipe.reading, &buffer, buffer.count)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    return (String(decoding: output, as: UTF8.self), Launch.wait(for: id))
  }

  @Test("A program gets exactly the environment and the folder that it is given")
  func environmentAndDirectory() throws {
    let result = try run("echo $A-$HOME-; pwd", environment: ["A=ä b"], directory: "/usr")
    #expect(result.output == "ä b--\n/usr\n" && result.status == 0)
  }

  @Test("Errors can go to the same file as the output, and the status is the program's")
  func outputAndStatus() throws {
    let result = try run("echo 1; echo 2 >&2; exit 3")
    #expect(result.output == "1\n2\n" && result.status == 3 << 8)
  }

  @Test("A file that somebody left open is closed in a program that must not keep it")
  func otherFiles() throws {
    // As the shell would hand it down: not closed when a program is executed.
    let lock = open("/dev/null", O_RDONLY)
    defer { close(lock) }
    let script = "test -e /proc/self/fd/\(lock) && echo open || echo closed"
    #expect(try run(script).output == "open\n")
    #expect(try run(script, closesOtherFiles: true).output == "closed\n")
  }

  @Test("A program shares the group and the session, or has its own")
  func group() throws {
    // The fields after the name: state, parent, group, session.
    let script =
      "read -r id name state parent group session rest < /proc/$$/stat; echo $group $session"
    let (group, session) = (getpgrp(), getsid(0))
    func ids(_ kind: Launch.Group) throws -> [pid_t] {
      try run("echo $$; " + script, group: kind).output.split(whereSeparator: \.isWhitespace)
        .compactMap { pid_t($0) }
    }
    let shared = try ids(.shared)
    #expect(Array(shared.dropFirst()) == [group, session])
    let own = try ids(.own)
    #expect(own == [own[0], own[0], session])
    let leader = try ids(.session)
    #expect(leader == [leader[0], leader[0], leader[0]])
  }

  @Test("Signals that this process blocks work in the program")
  func signals() throws {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    #expect(try run("kill $$; echo alive").status & 0x7F == SIGTERM)
  }

  @Test("A program that isn't there is an error with the system's number")
  func missing() {
    let failure = #expect(throws: Launch.Failure.self) { try Launch("/nowhere").start() }
    #expect(failure?.code == ENOENT && failure?.reason == "No such file or directory")
    #expect(Launch("/nowhere").become().code == ENOENT)
  }
}
