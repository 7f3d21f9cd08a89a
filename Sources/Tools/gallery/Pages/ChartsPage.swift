import Terminal
import TerminalExtras

/// Charts.
struct ChartsPage: View {
  var body: some View {
    VStack {
      HStack(spacing: 0) {
        Panel("One number") {
          VStack(alignment: .center) {
            Text("")
            BigText("23h 41m")
            Text("")
            ProgressBar(value: 0.81, role: .calm)
            Text("until tomorrow 07:52").foreground(.dim)
          }
        }
        Panel("Shares") {
          VStack {
            Text("")
            Gauge("calm", value: 0.81, role: .calm)
            Gauge("soon", value: 0.42, role: .warning)
            Gauge("late", value: 0.07, role: .danger)
            Text("")
            ProgressBar(value: 0.6, form: .block)
          }
          .labelWidth(5)
        }
      }
      .frame(height: 9)
      Panel("Rows of numbers") {
        Specimen("margins") { Sparkline(Self.margins, role: .calm) }
        Specimen("messages") { Sparkline(Self.margins.reversed().map { 9 - $0 }) }
        Divider(title: "The last year")
        Heatmap(rows: ["Mon", "", "Wed", "", "Fri", "", "Sun"], cells: Self.days)
          .accessibilityLabel("A year of check-ins, a few of them late.")
      }
    }
  }

  private static let margins: [Double] = (0..<60).map { (week: Int) -> Double in
    Double((week * week + 3 * week) % 11 + 1)
  }

  private static let days: [Heatmap.Cell] = (0..<53 * 7).map { number in
    if number < 3 { return .none }
    if number % 61 == 17 { return .hollow(.danger) }
    return number % 23 == 9 ? .hollow(.warning) : .filled(.calm)
  }
}
