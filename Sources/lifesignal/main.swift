import CommandLine

CommandLineTool(.live).main()
