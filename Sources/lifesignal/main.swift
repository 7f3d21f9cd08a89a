import CommandLine
import Files

StandardStreams.openClosed()
CommandLineTool(.live).main()
