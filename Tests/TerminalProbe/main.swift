// A small full-screen program that the tests run in a pseudo-terminal. Its keys make it exit, crash
// or behave in every way that a real program can.

import Glibc
import Terminal

@MainActor
final class Model {
  var count = 0
  var ticks = 0
  var focus = "unknown"
  var resumes = 0
  /// Whether the screen is filled with text that changes with the count.
  var isFull = false
  var isAsking = false
  var hasBox = false
  var answers = 0
  weak var application: TerminalApplication?
}

struct ProbeView: View {
  let model: Model
  let size: Size

  var body: some View {
    VStack(alignment: .leading) {
      Text("probe \(size.columns)x\(size.rows)")
      Text("count \(model.count)").onTap { model.count += 10 }
      Text("ticks \(model.ticks)")
      Text("focus \(model.focus)")
      Text("resumes \(model.resumes)")
      if model.isAsking {
        Text("answers \(model.answers)").command("+", "Answer") { model.answers += 1 }
      }
      if model.hasBox {
        VStack(alignment: .leading) {
          Text("inside")
          Text("  日本").bold()
        }.padding(.horizontal, 2).border(title: "Box")
      }
      if model.isFull {
        Text(String(repeating: "\(model.count) ", count: size.columns * size.rows / 2))
      }
    }
    .command("+", "Count") { model.count += 1 }
    .command("d", "Dialog") { model.isAsking = true }
    .command("B", "Box") { model.hasBox = true }
    .command("Y", "Copy panel") { model.application?.copyNextPanel() }
    .command("e", "Effect") {
      Task { @MainActor in
        await Task.yield()
        model.count += 100
        model.application?.setNeedsDisplay()
      }
    }
    .command("c", "Chain") {
      model.count += 1
      Task { @MainActor in
        model.count += 1
        model.application?.setNeedsDisplay()
        Task { @MainActor in
          model.count += 1
          model.application?.setNeedsDisplay()
        }
      }
    }
    .command("t", "Tick") {
      Task.detached {
        for _ in 0..<3 {
          try? await Task.sleep(for: .milliseconds(5))
          await MainActor.run {
            model.ticks += 1
            model.application?.setNeedsDisplay()
          }
        }
      }
    }
    .command("q", "Quit") { model.application?.stop() }
    .command("x", "Exit") { exit(3) }
    .command("s", "Segmentation fault") { raise(SIGSEGV) }
    .command("f", "Fatal error") { fatalError("as asked") }
    .command("W", "Worker") { Task.detached { fatalError("on a worker") } }
    .command("T", "Trap beside frames") {
      Task.detached {
        // Much error output right before the end, which takes time.
        for _ in 0..<4_000 { write(2, "a warning\n", 10) }
        fatalError("beside frames")
      }
      while true {
        model.count += 1
        model.application?.repaint()
        model.application?.display()
      }
    }
    .command("a", "Abort") { abort() }
    .command("k", "Kill") { raise(SIGKILL) }
    .command("o", "Overflow") { print(overflow(1)) }
    .command("h", "Hang") {
      write(1, "HUNG", 4)
      while true { sleep(1) }
    }
    .command("w", "Warn") { write(2, "a warning\n", 10) }
    .command("y", "Copy") { model.application?.copy("count \(model.count)") }
    .command("p", "Pipe") {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      model.count += write(ends[1], "x", 1) == -1 && errno == EPIPE ? 1000 : 0
      close(ends[1])
    }
    .command("z", "Size of files") {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      var name = Array("/tmp/terminal-probe-XXXXXX".utf8CString)
      let file = mkstemp(&name)
      model.count += write(file, "x", 1) == -1 && errno == EFBIG ? 2000 : 0
      close(file)
      unlink(name)
    }
    .command("l", "Lots") { model.isFull.toggle() }
  }
}

@inline(never) @_optimize(none)
func overflow(_ depth: Int) -> Int {
  depth == 0 ? 0 : depth &+ overflow(depth &+ 1)
}

if CommandLine.arguments.contains("store") {
  try runStore()
  exit(0)
}

if CommandLine.arguments.contains("inline") {
  try runInline(erasing: CommandLine.arguments.contains("erase"))
  print("result")
  exit(0)
}

let model = Model()
let device = TerminalDevice(options: TerminalOptions(title: "Probe"))
let application = TerminalApplication(device: device) { ProbeView(model: model, size: $0) }
model.application = application
application.onFocus = { isFocused in
  model.focus = isFocused ? "in" : "out"
  application.setNeedsDisplay()
}
application.onResume = { model.resumes += 1 }
do {
  let end = try application.run()
  print("ended: \(end)")
  end.endProcess()
} catch {
  print(error)
  exit(1)
}
