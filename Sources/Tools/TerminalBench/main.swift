import Benching
import Glibc

/// `TerminalBench static | nav | storm N` shows the common workload on the terminal, for
/// TerminalDriver to measure from outside. Without arguments, it measures the parts in this
/// process.
let bench = Bench()
let words = bench.arguments
switch (words.first, words.dropFirst().first.flatMap { Int($0) }) {
case (nil, _): Parts(bench: bench).measure()
case ("static", _), ("nav", _): FullScreen.run(frames: nil)
case ("storm", let frames?) where frames > 0: FullScreen.run(frames: frames)
default:
  complain("usage: TerminalBench [static | nav | storm FRAMES]")
  exit(2)
}
