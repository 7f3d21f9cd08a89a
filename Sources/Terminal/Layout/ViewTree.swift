/// The tree of one frame: nodes to lay out and draw, and everything that answers to events.
///
/// Views add themselves while they are built. Only the view system looks inside; a program passes
/// the tree on at most. One tree is used again for every frame, so that its storage is kept.
@MainActor
public final class ViewTree {
  let nodes = NodeArena()
  /// The addresses that text leads to.
  let links: LinkTable
  var theme: Theme
  /// Whether the person wants nothing to move by itself.
  var reducesMotion = false
  /// Whether the views are read out rather than looked at.
  var isSpoken = false
  /// The size of a cell in pixels; `nil` where it is not known.
  var cellPixels: Size?
  /// Whether text that leads somewhere can be pointed at.
  public internal(set) var showsLinks = false
  /// The size of the screen.
  private(set) var size = Size.zero

  /// The screen's layers from the bottom up: the base, then sheets, dialogs and toasts in the
  /// order in which they were met.
  private(set) var layers: [Layer] = []
  /// What answers to keys, as a linked list in the order of asking. The first is a sentinel.
  private(set) var responders: [Responder] = []
  /// What answers to the mouse; later ones lie above earlier ones.
  private(set) var regions: [HitRegion] = []
  /// Where the cursor rests, as views ask for it while they are drawn.
  var cursorRequests: [CursorRequest] = []
  /// What is not greyed beneath a sheet: it says which keys the sheet has.
  var brightNodes: [NodeID] = []
  /// Where the sheets are opened from: the beginning of the titles of those over others.
  var sheetRoot: String?
  /// The title of the window that a view asked for.
  var windowTitle: String?

  /// While building: where the next node goes and what it inherits.
  ///
  /// Each use of it, of `placeClip` and of the count of nodes is over before anything else runs, and
  /// there are thousands in a frame: checking them for overlaps at run time costs a tenth of it.
  @exclusivity(unchecked) private var building = BuildPlace()
  /// While placing: what is to be seen of the node being placed.
  @exclusivity(unchecked) private var placeClip = Rect.zero

  init(theme: Theme, links: LinkTable = LinkTable()) {
    self.theme = theme
    self.links = links
  }

  /// Builds, measures and places the tree of a view.
  func layOut(_ view: some View, size: Size) {
    self.size = size
    nodes.removeAll()
    layers.removeAll(keepingCapacity: true)
    responders.removeAll(keepingCapacity: true)
    regions.removeAll(keepingCapacity: true)
    cursorRequests.removeAll(keepingCapacity: true)
    brightNodes.removeAll(keepingCapacity: true)
    windowTitle = nil
    sheetRoot = nil
    building = BuildPlace(environment: initialEnvironment)
    responders.append(Responder(kind: .marker, layer: 0, owner: -1))
    layers.append(Layer(root: 0, kind: .base))

    add(LayeredElement(alignment: .topLeading)) { view.build(in: self) }
    // A layer may be found while an earlier one is placed, by content that is built late.
    var index = 0
    while index < layers.count {
      placeLayer(index)
      index += 1
    }
  }

  /// Draws the layers from the bottom up; toasts stand over sheets. What does not answer because a
  /// sheet or a dialog stands above it is greyed.
  func draw(on canvas: Canvas) {
    let top = layers.lastIndex { $0.kind == .modal } ?? 0
    let topSheet = layers.lastIndex { $0.title != nil } ?? 0
    for (index, layer) in layers.enumerated() where layer.kind != .floating {
      if layer.title != nil, index < topSheet { continue }
      if index == top, index > 0 {
        canvas.restyle(theme.faded)
        for node in brightNodes where nodes[node].pointee.layer < index { draw(node, on: canvas) }
      }
      draw(layer.root, on: canvas)
    }
    for layer in layers where layer.kind == .floating { draw(layer.root, on: canvas) }
  }
}

// MARK: - Building

// What takes a closure is inlined, or each view would be copied into the closure that builds it.
extension ViewTree {
  /// What the next view inherits.
  var environment: ViewEnvironment { building.environment }
  /// The layer that the next view belongs to.
  var layer: Int { building.layer }

  /// Adds a node whose children are what `content` adds.
  @inline(__always)
  @discardableResult
  func add(_ element: consuming any Element, content: () -> Void = {}) -> NodeID {
    let id = appendNode(element)
    let outer = enter(id)
    content()
    leave(to: outer)
    return id
  }

  /// Adds a node without children in a style of its own.
  func add(_ element: consuming any Element, style: Style) {
    _ = appendNode(element, style: style)
  }

  /// Adds a node with one child: several views that `content` adds stand below each other.
  @inline(__always)
  @discardableResult
  func addWrapping(_ element: consuming any Element, content: () -> Void) -> NodeID {
    let id = appendNode(element)
    let outer = enter(id)
    content()
    stackChildren(of: id)
    leave(to: outer)
    return id
  }

  /// Builds `content` with what it inherits changed from the present.
  @inline(__always)
  func withEnvironment(_ change: (inout ViewEnvironment) -> Void, content: () -> Void) {
    let outer = environment
    // Changed in a copy: access that lasts while a closure runs would be checked at run time.
    var inner = outer
    change(&inner)
    inherit(inner)
    content()
    inherit(outer)
  }

  private func inherit(_ environment: ViewEnvironment) { building.environment = environment }

  /// Makes a node the parent of what is added from now on.
  /// - Returns: The parent until now, for `leave(to:)`.
  private func enter(_ node: NodeID) -> NodeID {
    let outer = building.parent
    building.parent = node
    return outer
  }

  private func leave(to parent: NodeID) { building.parent = parent }

  /// The direction of the stack that is being filled.
  var stackAxis: Axis? {
    guard building.parent >= 0 else { return nil }
    guard case .stack(let axis) = nodes.element(of: building.parent).pointee.role else {
      return nil
    }
    return axis
  }

  /// Starts a layer over everything before it, which `content` fills.
  /// - Parameter title: That of a sheet.
  func addLayer(_ kind: Layer.Kind, title: String? = nil, content: () -> Void) {
    let outer = building
    building = BuildPlace(
      environment: initialEnvironment, layer: layers.count, responder: outer.responder)
    layers.append(Layer(root: nodes.count, kind: kind, title: title))
    addWrapping(LayeredElement(alignment: .center), content: content)
    let responder = building.responder
    building = outer
    building.responder = responder
  }

  /// What the views of a layer inherit.
  private var initialEnvironment: ViewEnvironment {
    var environment = ViewEnvironment(style: theme[.text])
    environment.reducesMotion = reducesMotion
    environment.isSpoken = isSpoken
    return environment
  }

  /// Adds something that answers to keys while a node is shown, after all that was added before.
  func addResponder(_ kind: Responder.Kind, owner: NodeID) {
    insertResponder(kind, layer: layer, owner: owner)
  }

  /// Adds a command around `content`. Where that is nothing but a sheet or a dialog, the command
  /// belongs to it.
  func addCommand(_ command: Command, content: () -> Void) {
    let nodeCount = nodes.count
    let layerCount = layers.count
    let (parent, layer) = (building.parent, building.layer)
    let lastChild = parent >= 0 ? nodes[parent].pointee.lastChild : -1
    content()
    let isParentChanged = parent >= 0 && nodes[parent].pointee.lastChild != lastChild
    let isLayerOnly = !isParentChanged && nodes.count > nodeCount && layers.count > layerCount
    insertResponder(
      .command(command), layer: isLayerOnly ? layerCount : layer,
      owner: isParentChanged ? nodes[parent].pointee.lastChild : parent)
  }

  /// What has to be known to go on building here later, when a size is known.
  func captureContext() -> BuildPlace {
    insertResponder(.marker, layer: layer, owner: building.parent)
    return building
  }

  /// Builds children of a node that was added before.
  func build(under node: NodeID, _ context: BuildPlace, content: () -> Void) {
    let outer = building
    building = context
    building.parent = node
    content()
    building = outer
  }

  private func insertResponder(_ kind: Responder.Kind, layer: Int, owner: NodeID) {
    let index = responders.count
    let previous = building.responder
    responders.append(
      Responder(kind: kind, layer: layer, owner: owner, next: responders[previous].next))
    responders[previous].next = index
    building.responder = index
  }

  /// - Parameter style: A style of its own; `nil` for the inherited one.
  private func appendNode(_ element: consuming any Element, style: Style? = nil) -> NodeID {
    let place = building
    let node = Node(
      style: style ?? place.environment.style, layer: place.layer, priority: element.priority)
    let id = nodes.append(node, element: element)
    guard place.parent >= 0 else { return id }
    let parent = nodes[place.parent]
    let last = parent.pointee.lastChild
    if last < 0 {
      parent.pointee.firstChild = id
    } else {
      nodes[last].pointee.nextSibling = id
    }
    parent.pointee.lastChild = id
    return id
  }

  /// Puts a vertical stack between a node and its children, where there are several.
  private func stackChildren(of id: NodeID) {
    let first = nodes[id].pointee.firstChild
    let last = nodes[id].pointee.lastChild
    guard first != last else { return }
    nodes[id].pointee.firstChild = -1
    nodes[id].pointee.lastChild = -1
    let stack = appendNode(StackElement(axis: .vertical, spacing: 0, alignment: .leading))
    nodes[stack].pointee.firstChild = first
    nodes[stack].pointee.lastChild = last
  }
}

// MARK: - Layout

extension ViewTree {
  func firstChild(of id: NodeID) -> NodeID? {
    let child = nodes[id].pointee.firstChild
    return child < 0 ? nil : child
  }

  func nextSibling(of id: NodeID) -> NodeID? {
    let sibling = nodes[id].pointee.nextSibling
    return sibling < 0 ? nil : sibling
  }

  func forEachChild(of id: NodeID, _ body: (NodeID) -> Void) {
    var child = nodes[id].pointee.firstChild
    while child >= 0 {
      body(child)
      child = nodes[child].pointee.nextSibling
    }
  }

  /// The size that a node takes. The last answers of a node are kept.
  func measure(_ id: NodeID, _ proposal: Proposal) -> Size {
    if let size = nodes[id].pointee.sizes[proposal] { return size }
    let size = nodes.element(of: id).pointee.measure(proposal, node: id, in: self)
    nodes[id].pointee.sizes.insert(size, for: proposal)
    return size
  }

  /// The size of a node's first child, or nothing where there is none.
  func measureChild(of id: NodeID, _ proposal: Proposal) -> Size {
    let child = nodes[id].pointee.firstChild
    return child < 0 ? .zero : measure(child, proposal)
  }

  /// Gives a node its place, and through it its children.
  func place(_ id: NodeID, in rect: Rect, proposal: Proposal) {
    nodes[id].pointee.rect = rect
    nodes[id].pointee.isPlaced = true
    let outer = placeClip
    placeClip = outer.intersection(rect)
    nodes.element(of: id).pointee.place(in: rect, proposal: proposal, node: id, tree: self)
    placeClip = outer
  }

  func rect(of id: NodeID) -> Rect { nodes[id].pointee.rect }
  func style(of id: NodeID) -> Style { nodes[id].pointee.style }
  func isPlaced(_ id: NodeID) -> Bool { id < 0 || nodes[id].pointee.isPlaced }

  private func placeLayer(_ index: Int) {
    var screen = Rect(origin: .zero, size: size)
    if layers[index].kind == .modal, hasHelpBar(beneath: index) {
      screen = screen.inset(top: 0, leading: 0, bottom: 1, trailing: 0)
    }
    placeClip = screen
    place(layers[index].root, in: screen, proposal: Proposal(screen.size))
  }

  /// Whether the last line of the screen says which keys work: it stays in sight.
  private func hasHelpBar(beneath layer: Int) -> Bool {
    brightNodes.contains { nodes[$0].pointee.layer < layer && rect(of: $0).maxRow == size.rows }
  }
}

// MARK: - Events and drawing

extension ViewTree {
  /// Makes a node's place answer to the mouse.
  func addRegion(_ rect: Rect, node: NodeID, _ action: HitRegion.Action) {
    addRegion(rect, layer: nodes[node].pointee.layer, action)
  }

  /// Makes a place of a layer answer to the mouse.
  func addRegion(_ rect: Rect, layer: Int, _ action: HitRegion.Action) {
    let visible = rect.intersection(placeClip)
    guard !visible.isEmpty else { return }
    regions.append(HitRegion(rect: rect, visible: visible, layer: layer, action: action))
  }

  func draw(_ id: NodeID, on canvas: Canvas) {
    guard nodes[id].pointee.isPlaced else { return }
    let inner = canvas.clipped(to: nodes[id].pointee.rect)
    guard !inner.clip.isEmpty else { return }
    nodes.element(of: id).pointee.draw(node: id, in: self, on: inner)
  }

  func drawChildren(of id: NodeID, on canvas: Canvas) {
    forEachChild(of: id) { draw($0, on: canvas) }
  }
}
