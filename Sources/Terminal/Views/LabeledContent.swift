/// A label and its value: the label in a column of its own, the value wrapped beside it.
public struct LabeledContent: View {
  private let label: String
  private let value: String
  private let labelWidth: Int

  /// - Parameters:
  ///   - label: What the value is.
  ///   - value: The value.
  ///   - labelWidth: The width of the column of labels.
  public init(_ label: String, value: String, labelWidth: Int = 14) {
    self.label = label
    self.value = value
    self.labelWidth = labelWidth
  }

  /// The view's content.
  public var body: some View {
    HStack(alignment: .top, spacing: 2) {
      Text(label).foreground(.dim).frame(width: labelWidth, alignment: .leading)
      Text(value).frame(maxWidth: .max, alignment: .leading)
    }
  }
}
