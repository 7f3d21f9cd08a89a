@preconcurrency import Glibc
import Simulation

setvbuf(stdout, nil, _IOLBF, 0)
exit(Command(Array(CommandLine.arguments.dropFirst())).run())
