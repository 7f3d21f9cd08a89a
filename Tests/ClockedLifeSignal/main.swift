// The app, the commands and the monitor as they ship, but for two things: the time is what the file
// says that CLOCK_FILE names, and hashing a password takes microseconds. Beginning with the word
// `lifesignal-monitor`, it is the monitor.

import Clients
import CommandLine
import Cryptography
import SQLite
import FoundationEssentials
import MonitorProgram

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
invocation.now = { clock.date }
invocation.storeAccess = .embedded(
  clock: clock,
  monitor: MonitorLauncher(program: "clocked-lifesignal", arguments: ["lifesignal-monitor"])
) { (folders, account, waits, startMonitor) throws(StorageError) in
  try EmbeddedPlatform(
    folders: folders, now: { clock.date }, account: account, waits: waits, hashing: .minimal,
    startMonitor: startMonitor)
}
CommandLineTool(invocation).main()
