/// A writable part of a state, reached in place.
///
/// A stored property lies at a fixed offset, so it is changed where it is, without a key path's
/// walk and without a copy. A computed one is changed through its key path.
struct FieldPath<Root, Value> {
  private let keyPath: WritableKeyPath<Root, Value>
  private let offset: Int?

  init(_ keyPath: WritableKeyPath<Root, Value>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// Whether the part is stored, so that changing it makes no copy.
  var isStored: Bool { offset != nil }

  /// Changes the part in place.
  func modify<Result>(_ root: inout Root, _ body: (inout Value) -> Result) -> Result {
    guard let offset else { return body(&root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) { pointer in
      body(
        &UnsafeMutableRawPointer(pointer).advanced(by: offset)
          .assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// The part itself.
  func get(_ root: Root) -> Value { root[keyPath: keyPath] }

  /// Replaces the part.
  func set(_ root: inout Root, _ value: Value) { root[keyPath: keyPath] = value }
}
