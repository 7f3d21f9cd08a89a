import MonitorProgram

MonitorTool.live.main()
