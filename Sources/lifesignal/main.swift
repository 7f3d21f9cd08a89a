import CommandLine

Program.main()
