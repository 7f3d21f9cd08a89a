@preconcurrency import Glibc
import Simulation

setvbuf(stdout, nil, _IOLBF, 0)
// Swift seeds hashing differently in each process. Without that, a seed gives the same run
// everywhere.
if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  execv("/proc/self/exe", CommandLine.unsafeArgv)
}
exit(Command(Array(CommandLine.arguments.dropFirst())).run())
