import Terminal
import Testing

@Suite("Colour depth from environment variables")
struct ColorDepthEnvironmentTests {
  @Test(
    arguments: [
      (["TERM": "xterm-256color"], ColorDepth.palette256),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
      (["TERM": "xterm", "COLORTERM": "24bit"], .trueColor),
      (["TERM": "xterm-kitty"], .trueColor),
      (["TERM": "xterm-direct"], .trueColor),
      (["TERM": "xterm"], .ansi16),
      (["TERM": "linux"], .ansi16),
      (["TERM": "vt100"], ColorDepth.none),
      (["TERM": "xterm-256color", "NO_COLOR": "1"], ColorDepth.none),
      (["TERM": "xterm-256color", "NO_COLOR": ""], .palette256),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "CLICOLOR": "0"], ColorDepth.none),
      ([:], .ansi16),
    ] as [([String: String], ColorDepth)])
  func depth(environment: [String: String], depth: ColorDepth) {
    #expect(ColorDepth(environment: environment) == depth)
  }
}
