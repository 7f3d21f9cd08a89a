import Glibc
import Terminal

/// A program in three lines below the prompt: `terminal-probe inline [erase]`.
@MainActor
func runInline(erasing isErased: Bool) throws {
  var count = 0
  weak var running: TerminalApplication?
  let application = TerminalApplication(inline: 3, erasesAtEnd: isErased) {
    SizeReader { size in
      VStack(alignment: .leading) {
        Text("inline \(size.columns)x\(size.rows)")
        Text("count \(count)")
        Text(String(repeating: "=", count: size.columns))
      }
      .command("+", "Count") { count += 1 }
      .command("p", "Print") { running?.print("printed \(count)\nand \u{1B}[31mmore") }
      .command("f", "Print and finish") {
        running?.print("the last line")
        count = 99
        running?.stop()
      }
      .command("q", "Quit") { running?.stop() }
      .command("s", "Segmentation fault") { raise(SIGSEGV) }
    }
  }
  running = application
  try application.run().endProcess()
}
