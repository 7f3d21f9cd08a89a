import System
import Glibc
import MonitorProgram

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
// Whatever it was started from: what it writes is its person's alone.
umask(0o077)
// Before the folder changes: what the arguments name is named from here.
let monitor = MonitorTool.live
// One that is left behind keeps no folder, which somebody may want to unmount. systemd has chosen one.
if getsid(0) == getpid(), getenv("INVOCATION_ID") == nil { chdir("/") }
monitor.main()
