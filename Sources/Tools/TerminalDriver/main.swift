import Benching
import Glibc

/// Measures programs that show the common workload, from outside, and prints a table:
///
///     TerminalDriver NAME=PROGRAM …
///
/// The first program is the one the others are compared with.
let contenders = CommandLine.arguments.dropFirst().compactMap { word -> Contender? in
  let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
  return parts.count == 2 ? Contender(name: parts[0], program: parts[1]) : nil
}
guard !contenders.isEmpty, contenders.count == CommandLine.arguments.count - 1 else {
  complain("usage: TerminalDriver NAME=PROGRAM …")
  exit(2)
}
do {
  printTable(of: try contenders.map { try Measurement(of: $0) }, Bench())
} catch {
  complain("TerminalDriver: \(error)")
  exit(1)
}
