@preconcurrency import Glibc
import Simulation

setvbuf(stdout, nil, _IOLBF, 0)
// Swift seeds its hashing differently in each process; a seed is one run in every process only without.
if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  execv("/proc/self/exe", CommandLine.unsafeArgv)
}
exit(Command(Array(CommandLine.arguments.dropFirst())).run())
