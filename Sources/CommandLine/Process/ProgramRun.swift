import Dispatch
import Glibc

/// Runs a program to its end with nothing on its standard input; blocks.
///
/// One that goes on for too long is killed: ten seconds for a name that is looked for along `PATH`,
/// two minutes for a path, which is a program of ours.
/// - Returns: `nil` where there is no such program.
func runProgram(_ words: [String]) -> ProgramOutcome? {
  var ends: [Int32] = [0, 0]
  guard let program = words.first, pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  defer { close(ends[0]) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
  var attributes = SpawnAttributes()
  defer { attributes.destroy() }
  var child = pid_t()
  let result = CArguments(words).withPointers {
    posix_spawnp(&child, program, &actions, &attributes.value, $0, environ)
  }
  close(ends[1])
  guard result == 0 else { return nil }
  let limit: UInt64 = program.hasPrefix("/") ? 120 : 10
  let bytes = read(from: ends[0], within: limit * 1_000_000_000) ?? []
  // Whoever has closed its outputs is done, and whoever has not in time is stopped.
  var status: Int32 = 0
  if !isEnding(child, &status) {
    kill(child, SIGKILL)
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }
  let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  return ProgramOutcome(code: code, output: String(decoding: bytes, as: UTF8.self))
}

/// What comes from a pipe until its end, at most 64 KiB of it.
private func read(from descriptor: Int32, within nanoseconds: UInt64) -> [UInt8]? {
  let deadline = DispatchTime.now().uptimeNanoseconds + nanoseconds
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4_096)
  while true {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now < deadline else { return bytes }
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = Glibc.poll(&poll, 1, Int32((deadline - now) / 1_000_000 + 1))
    if ready < 0, errno == EINTR { continue }
    guard ready > 0 else { return bytes }
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return bytes }
    bytes += buffer.prefix(min(count, 65_536 - bytes.count))
  }
}

/// Whether a program has ended, or does within a second.
private func isEnding(_ child: pid_t, _ status: inout Int32) -> Bool {
  for _ in 0..<100 {
    if waitpid(child, &status, WNOHANG) == child { return true }
    usleep(10_000)
  }
  return false
}
