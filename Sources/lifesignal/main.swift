import CommandLine
import Files

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
CommandLineTool(.live).main()
