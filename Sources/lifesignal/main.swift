import CommandLine
import Files
import Processes

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
CommandLineTool(.live).main()
