import System
import Glibc
import MonitorProgram

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
// Whatever started it, its files are for its owner only.
umask(0o077)
// Read relative paths in the arguments before changing folder.
let monitor = MonitorTool.live
// A monitor left in the background must not keep its folder busy, which would prevent unmounting
// it. Under systemd, the unit sets the folder.
if getsid(0) == getpid(), getenv("INVOCATION_ID") == nil { chdir("/") }
monitor.main()
