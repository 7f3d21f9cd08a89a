import Benching
import Glibc
import Terminal

/// Measures programs that show the common workload, from outside, and prints a table:
///
///     TerminalDriver COLUMNSxROWS NAME=PROGRAM …
///
/// The workload needs 80×24 at least. The last program is compared with each of the others.
let words = CommandLine.arguments.dropFirst()
let extents = words.first.map { $0.split(separator: "x").compactMap { Int($0) } } ?? []
let contenders = words.dropFirst().compactMap { word -> Contender? in
  let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
  return parts.count == 2 ? Contender(name: parts[0], program: parts[1]) : nil
}
guard extents.count == 2, extents[0] >= 80, extents[1] >= 24, !contenders.isEmpty,
  contenders.count == words.count - 1
else {
  complain("usage: TerminalDriver COLUMNSxROWS NAME=PROGRAM …")
  exit(2)
}
do {
  let size = Size(columns: extents[0], rows: extents[1])
  printTable(of: try contenders.map { try Measurement(of: $0, size: size) }, Bench())
} catch {
  complain("TerminalDriver: \(error)")
  exit(1)
}
