import Glibc

// `AccountBench LIFESIGNAL` measures the app for a user with 10,000 contacts, 100,000 check-ins and
// 10,000 notifications: the program from outside, in a pseudo-terminal, and the parts of a frame in
// this process; and an alert to 100,000 responders. It exits with 1 if a goal is missed. It creates a new store each time, because a passed deadline would change the
// results.
//
// `AccountBench LIFESIGNAL SERVER` measures when an app that has joined a server shows its first
// frame.

guard (2...3).contains(CommandLine.arguments.count) else {
  complain("usage: AccountBench LIFESIGNAL [SERVER]")
  exit(2)
}
do {
  let table = Table()
  if CommandLine.arguments.count == 3 {
    try measureJoinedStart(
      of: CommandLine.arguments[1], serverProgram: CommandLine.arguments[2], table)
    exit(0)
  }
  let home = try BenchHome(program: CommandLine.arguments[1])
  try fill(home)
  table.printHeader("The program, from outside", ["median ms", "worst ms", "goal ms"])
  try measureStart(of: home, table)
  try measureKeys(of: home, table)
  print()
  table.printHeader(
    "A key, from the event to the bytes", ["median ms", "worst ms", "goal ms", "allocations"])
  try await measureFrames(of: home, table)
  print()
  let alertHome = try BenchHome(program: CommandLine.arguments[1])
  try fillWithAlert(alertHome)
  table.printHeader(
    "An alert to 100,000 responders", ["median ms", "worst ms", "goal ms", "allocations"])
  try await measureAlert(of: alertHome, table)
  guard table.missedCount == 0 else {
    complain("Goals missed: \(table.missedCount)")
    exit(1)
  }
} catch {
  complain("AccountBench: \(error)")
  exit(1)
}
