import Terminal

let monitor = Monitor()
var quit: @MainActor () -> Void = {}
let application = TerminalApplication { MonitorView(monitor: monitor) { quit() } }
quit = { application.stop() }
Task { await monitor.run(clock: ContinuousClock()) { application.setNeedsDisplay() } }
try application.run().endProcess()
