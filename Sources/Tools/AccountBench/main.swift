import Benching

// `AccountBench LIFESIGNAL` measures the app for a user with 10,000 contacts, 100,000 check-ins and
// 10,000 notifications: the program from outside, in a pseudo-terminal, and the parts of a frame in
// this process; and an alert to 100,000 responders. It exits with 1 if a goal is missed. It creates
// a new store each time, because a passed deadline would change the results.
//
// `AccountBench LIFESIGNAL SERVER` measures when an app that has joined a server shows its first
// frame.
//
// `AccountBench --count fill LIFESIGNAL FOLDER` makes smaller stores in a folder, and
// `AccountBench --count LIFESIGNAL FOLDER` counts the work of the same keys with them.

Bench.run { bench in
  switch (Bench.isCounting, bench.arguments.count) {
  case (false, 1):
    let home = try BenchHome(program: bench.arguments[0])
    try fill(home)
    bench.table("the program, from outside", "median ms", "worst ms", "goal ms")
    try measureStart(of: home, bench)
    try measureKeys(of: home, bench)
    try await measureFrames(of: home, bench)
    let alertHome = try BenchHome(program: bench.arguments[0])
    try fillWithAlert(alertHome)
    try await measureAlert(of: alertHome, bench)
  case (false, 2):
    try measureJoinedStart(of: bench.arguments[0], server: bench.arguments[1], bench)
  case (true, 3) where bench.arguments[0] == "fill":
    let (program, folder) = (bench.arguments[1], bench.arguments[2])
    try fill(BenchHome(program: program, path: folder + "/account"))
    try fillWithAlert(BenchHome(program: program, path: folder + "/alert"))
  case (true, 2):
    let (program, folder) = (bench.arguments[0], bench.arguments[1])
    try await measureFrames(of: BenchHome(program: program, path: folder + "/account"), bench)
    try await measureAlert(of: BenchHome(program: program, path: folder + "/alert"), bench)
  default:
    complain("usage: AccountBench [--count [fill]] LIFESIGNAL [SERVER | FOLDER]")
    return 2
  }
  if bench.missedCount > 0 { complain("Goals missed: \(bench.missedCount)") }
  return bench.missedCount == 0 ? 0 : 1
}
