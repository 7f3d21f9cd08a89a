import Testing

@testable import Terminal

struct PaletteTests {
  private func components(_ index: UInt8) -> [UInt8] {
    let color = Palette.components(of: index)
    return [color.red, color.green, color.blue]
  }

  @Test func cubeAndGreysAreThoseOfXterm() {
    #expect(components(16) == [0, 0, 0] && components(231) == [255, 255, 255])
    #expect(components(110) == [135, 175, 215])
    #expect(components(232) == [8, 8, 8] && components(255) == [238, 238, 238])
  }

  @Test func everyColourOfThePaletteIsNearestToItself() {
    for index in UInt8(16)...255 {
      let color = components(index)
      let nearest = Palette.nearest256(red: color[0], green: color[1], blue: color[2])
      #expect(components(nearest) == color, "\(index)")
    }
  }
}
