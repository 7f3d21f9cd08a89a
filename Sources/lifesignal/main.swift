import CommandLine
import Files

StandardStreams.openClosed()
CoreDumps.turnOff()
CommandLineTool(.live).main()
