import CommandLine
import System

StandardStreams.openClosed()
CoreDumps.turnOff()
ChildSignals.restore()
CommandLineTool(.live).main()
