import Files
import MonitorProgram

StandardStreams.openClosed()
MonitorTool.live.main()
