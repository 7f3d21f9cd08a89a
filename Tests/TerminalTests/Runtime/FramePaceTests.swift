import Testing

@testable import Terminal

@Suite struct FramePaceTests {
  @Test func aFewFramesAtOnceAndThenSixtyASecond() {
    var pace = FramePace()
    let start = ContinuousClock.now
    var now = start
    var frames: [Duration] = []
    for _ in 0..<60 {
      now = max(now, pace.nextFrame)
      pace.frameWasDrawn(at: now)
      frames.append(now - start)
    }
    #expect(frames[..<FramePace.burst].allSatisfy { $0 == .zero })
    for index in FramePace.burst..<59 {
      #expect(frames[index + 1] - frames[index] == FramePace.interval)
    }
  }

  @Test func aPauseGivesTheFewFramesBack() {
    var pace = FramePace()
    var now = ContinuousClock.now
    for _ in 0..<10 {
      now = max(now, pace.nextFrame)
      pace.frameWasDrawn(at: now)
    }
    now += .seconds(1)
    for _ in 0..<FramePace.burst {
      #expect(pace.nextFrame <= now)
      pace.frameWasDrawn(at: now)
    }
    #expect(pace.nextFrame > now)
  }

  @Test func manyKeysDoNotKeepAnEffectWaiting() {
    var pace = FramePace()
    let now = ContinuousClock.now
    for _ in 0..<1_000 { pace.frameWasDrawn(at: now) }
    #expect(pace.nextFrame <= now + FramePace.interval)
  }
}
