import Composable
import Glibc
import TerminalTesting

// Decodes random terminal input, starting from a different seed each time: `make fuzz`.
//
//     TerminalFuzz BYTES [SEED]

let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard (1...2).contains(numbers.count), let wanted = numbers[0],
  let seed = numbers.count == 2 ? numbers[1] : UInt64.random(in: .min ... .max)
else {
  print("Usage: TerminalFuzz BYTES [SEED]")
  exit(64)
}

/// Returns the peak memory of the process, in KiB.
func peakMemory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}

var fuzz = DecoderFuzz(SplitMix64(seed: seed))
let start = ContinuousClock.now
let before = peakMemory()
while fuzz.count < wanted {
  if let bytes = fuzz.step() {
    print("seed \(seed), after \(fuzz.count) bytes, the splits matter: \(bytes)")
    exit(1)
  }
}
let growth = peakMemory() - before
print("\(fuzz.count) bytes from seed \(seed) in \(ContinuousClock.now - start), \(growth) KiB more")
// A paste and a control string are buffered up to a limit, twice.
guard growth < 32 << 10 else { exit(1) }
