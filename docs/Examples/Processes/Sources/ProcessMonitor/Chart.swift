import Terminal

/// Shares from 0 to 1 as bars in eighths of a cell, the newest on the right.
struct Chart: View {
  let title: String, shares: [Double]

  var body: some View {
    Drawing(ideal: Size(columns: 30, rows: 6)) { canvas, rect in
      for (age, share) in shares.reversed().prefix(rect.columns).enumerated() {
        let eighths = max(1, Int((share * Double(8 * rect.rows)).rounded()))
        for height in 0...(eighths - 1) / 8 {
          let level = 10 * height / rect.rows
          canvas.cell(
            Array("▁▂▃▄▅▆▇█")[min(8, eighths - 8 * height) - 1],
            at: Point(column: rect.columns - 1 - age, row: rect.rows - 1 - height),
            style: canvas.style(level < 5 ? .calm : level < 8 ? .warning : .danger))
        }
      }
    }
    .accessibilityLabel("")
    .border(title: title, footer: shares.last.map(percent))
  }
}

func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
