import Glibc
import Server
import System

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
// Its files are for its owner only.
umask(0o077)
ServerTool.live.main()
