import Glibc
import Server
import System

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
// What it writes is its owner's alone.
umask(0o077)
ServerTool.live.main()
