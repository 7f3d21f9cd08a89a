import Clients
import Domain
import FoundationEssentials
import Glibc
import System

extension MachineAccess {
  /// Access to this machine.
  public static let live = MachineAccess(
    run: { command in
      // Only our own programs are named by path.
      let isOurs = command[0].hasPrefix("/")
      let result = await Subprocess.run(
        command[0], Array(command.dropFirst()), isOurs: isOurs, outputLimit: 1 << 20,
        complaintLimit: 65_536, within: .seconds(isOurs ? 1_200 : 10))
      let output = String(decoding: result.output + result.complaint, as: UTF8.self)
      return switch result.end {
      case .exited(let code): ProgramOutcome(code: code, output: output)
      case .killed, .tookTooLong: ProgramOutcome(code: 128 + SIGKILL, output: output)
      case .notFound, .notStarted: nil
      }
    },
    startMonitor: { (folders: Folders) async throws(StorageError) in
      await (try MonitorLauncher().start(onlyIfNone: true, log: folders.monitorLog)).earlyEnd()
    },
    monitorProgram: { () throws(StorageError) in try MonitorLauncher().besideThisProgram() },
    isInBuildFolder: { MonitorLauncher.isInBuildFolder },
    endsMonitors: { MonitorLauncher.endsMonitors },
    writePublicFile: { (path: String, bytes: [UInt8]) throws(FileError) in
      try makeFolders(above: path)
      try replaceFile(at: path, with: bytes, mode: 0o644)
    },
    writePrivateFile: { (path: String, bytes: [UInt8]) throws(FileError) in
      try makeFolders(above: path)
      try replaceFile(at: path, with: bytes)
    },
    makeFoldersAbove: makeFolders(above:),
    removeFile: { (path: String) throws(FileError) in
      if unlink(path) == 0 { return true }
      guard errno == ENOENT || errno == ENOTDIR else { throw FileError(reason: systemReason()) }
      return false
    },
    entry: pathEntry(at:),
    userName: {
      guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return nil }
      return String(cString: name)
    },
    hasTerminal: { isatty(STDOUT_FILENO) == 1 },
    hasControllingTerminal: {
      let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard terminal >= 0 else { return false }
      close(terminal)
      return true
    },
    takeTurn: takeTurn(at:pause:),
    // The processor says so on x86; elsewhere it isn't known.
    isVirtual: {
      let processor = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      return processor?.contains(" hypervisor") ?? false
    })
}

private func makeFolders(above path: String) throws(FileError) {
  guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
  let folder = String(path[..<slash])
  guard access(folder, F_OK) != 0 else { return }
  try makeFolders(above: folder)
  guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
    throw FileError(reason: "\(folder): \(systemReason())")
  }
}

private func takeTurn(at path: String, pause: TimeSpan) -> Bool {
  guard (try? makeFolders(above: path)) != nil else { return false }
  let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
  var stamp = open(path, flags | O_CREAT | O_EXCL, 0o600)
  let isNew = stamp >= 0
  if !isNew { stamp = open(path, flags) }
  guard stamp >= 0 else { return false }
  defer { close(stamp) }
  var (information, now) = (stat(), timespec())
  guard flock(stamp, LOCK_EX | LOCK_NB) == 0, fstat(stamp, &information) == 0,
    information.st_mode & S_IFMT == S_IFREG, clock_gettime(CLOCK_REALTIME, &now) == 0
  else { return false }
  let age = now.tv_sec - information.st_mtim.tv_sec
  // A time that is still to come was given by a clock that has since been set back.
  guard isNew || age < 0 || age >= pause.seconds else { return false }
  // Changes the time without writing, which a full disk would refuse.
  return futimens(stamp, nil) == 0
}

private func pathEntry(at path: String) -> PathEntry {
  var information = stat()
  guard lstat(path, &information) == 0 else {
    return errno == ENOENT || errno == ENOTDIR ? .nothing : .hidden(systemReason())
  }
  let mode = information.st_mode & 0o7777
  let isOwn = information.st_uid == geteuid()
  return switch information.st_mode & S_IFMT {
  case S_IFREG: .file(mode: mode, isOwn: isOwn)
  case S_IFDIR: .folder(mode: mode, isOwn: isOwn)
  case S_IFLNK: .link
  default: .other
  }
}
