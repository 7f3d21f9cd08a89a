// The app, the commands, the monitor and the server as they ship, except that the time comes from
// the file named by CLOCK_FILE and hashing a local password takes only microseconds. If the first
// argument is `lifesignal-monitor` or `lifesignal-server`, this is that program.

import Clients
import CommandLine
import Cryptography
import Domain
import SQLite
import FoundationEssentials
import MonitorProgram
import Server

let variables = ProcessInfo.processInfo.environment
guard let clock = variables["CLOCK_FILE"].flatMap(FileClock.init) else {
  fatalError("CLOCK_FILE names no file.")
}
var invocation = Invocation.live
if invocation.arguments.first == "lifesignal-monitor" {
  MonitorTool(
    arguments: Array(invocation.arguments.dropFirst()), variables: variables, now: { clock.date },
    clock: clock
  ).main()
}
if invocation.arguments.first == "lifesignal-server" {
  ServerTool(arguments: Array(invocation.arguments.dropFirst()), now: { clock.date }).main()
}
invocation.now = { clock.date }
invocation.storeAccess = .embedded(
  now: { clock.date },
  uptime: { Uptime(boot: "clocked", seconds: clock.date.timeIntervalSince1970) }, clock: clock,
  monitor: MonitorLauncher(program: "clocked-lifesignal", arguments: ["lifesignal-monitor"])
) { (folders, account, waits, startMonitor) throws(StorageError) in
  try EmbeddedPlatform(
    folders: folders, now: { clock.date }, account: account, waits: waits, hashing: .minimal,
    startMonitor: startMonitor)
}
CommandLineTool(invocation).main()
