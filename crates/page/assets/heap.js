// The heap as a graph: roots above, objects below, each always at the same place.
import { h, svg, panel, threadClass } from "./dom.js";

const WIDTH = 168;
const GAP = 74;
const HEAD = 26;
const ROW = 18;
const ROOT = 22;

/** The panel of the heap. */
export function heapPanel(walk) {
  const picture = h("div");
  const legend = h("p", { class: "legend" });
  walk.onChange(() => {
    const { heap } = walk.frame;
    picture.replaceChildren(...(heap.objects.length > 0 ? [draw(walk, heap)] : []));
    legend.textContent = explain(heap);
  });
  return panel("Heap", "heap", {}, picture, legend);
}

function explain(heap) {
  const colours = heap.objects.some((object) => object.colour)
    ? "Heads show the collector's colours. "
    : "Solid: reached from a variable or register. Dashed frame: not reached. ";
  return heap.objects.length === 0 ? "This protocol has no objects." : `${colours}Dashed arrow: forwarding pointer.`;
}

/** The colour shown: the protocol's own, or whether the object is reached. */
function colour(object) {
  return object.colour ?? (object.is_reached ? "reached" : "unreached");
}

function draw(walk, heap) {
  const perRow = Math.min(heap.objects.length, heap.objects.length === 4 ? 2 : 3) || 1;
  const rootBoxes = placeRoots(heap, perRow);
  const top = rootBoxes.height;
  const rowHeight = Math.max(0, ...heap.objects.map((object) => HEAD + object.fields.length * ROW + 8)) + 56;
  const boxes = heap.objects.map((object, i) => ({
    x: 30 + (i % perRow) * (WIDTH + GAP),
    y: top + Math.floor(i / perRow) * rowHeight,
    width: WIDTH,
    height: HEAD + object.fields.length * ROW + 8,
  }));
  const width = 60 + perRow * WIDTH + (perRow - 1) * GAP;
  const height = Math.max(60, top + Math.ceil(heap.objects.length / perRow) * rowHeight - 46);
  const before = walk.before?.heap;
  return svg("svg", { class: "heap", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe(heap) },
    arrowHeads(),
    heap.objects.map((object, i) => drawObject(object, before?.objects[i], boxes[i])),
    heap.edges.map((edge) => drawEdge(edge, boxes)),
    heap.roots.flatMap((root, i) => drawRoot(root, rootBoxes.places[i], boxes[root.to])));
}

function arrowHeads() {
  const head = (id, name) => svg("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    svg("path", { d: "M 0 0.5 L 8 4 L 0 7.5 z", class: `arrow ${name}` }));
  return svg("defs", {}, head("arrow", ""), head("arrow-forwarding", "forwarding"));
}

/** Roots stand above the object they lead to, side by side and then in further rows. */
function placeRoots(heap, perRow) {
  const used = new Map();
  const places = heap.roots.map((root) => {
    const column = root.to % perRow;
    const width = 14 + root.name.length * 7.1;
    const column0 = 30 + column * (WIDTH + GAP);
    const slot = used.get(column) ?? { x: 0, y: 0 };
    if (slot.x > 0 && slot.x + width > WIDTH + GAP - 12) Object.assign(slot, { x: 0, y: slot.y + ROOT + 6 });
    used.set(column, { x: slot.x + width + 8, y: slot.y });
    return { x: column0 + slot.x, y: 6 + slot.y, width };
  });
  const rows = Math.max(0, ...[...used.values()].map((slot) => slot.y));
  return { places, height: heap.roots.length > 0 ? rows + ROOT + 40 : 30 };
}

function drawObject(object, before, { x, y, width, height }) {
  const rows = object.fields.map(([name, value], i) => {
    const top = y + HEAD + i * ROW;
    const isChanged = before && before.fields[i][1] !== value;
    return svg("g", { "data-field": name, "data-value": value },
      isChanged ? svg("rect", { class: "changed", x: x + 4, y: top + 2, width: width - 8, height: ROW - 1, rx: 3 }) : null,
      svg("text", { class: "field-name", x: x + 10, y: top + 15 }, name),
      svg("text", { class: "value", x: x + width - 10, y: top + 15, "text-anchor": "end" }, value));
  });
  return svg("g", { class: "object", "data-name": object.name, "data-colour": colour(object) },
    svg("rect", { class: "box", x, y, width, height, rx: 7 }),
    object.colour ? svg("path", { class: "head", d: `M ${x + 1} ${y + HEAD - 2} v -16 q 0 -7 7 -7 h ${width - 16} q 7 0 7 7 v 16 z` }) : null,
    svg("text", { class: "name", x: x + 10, y: y + 18 }, object.name),
    svg("text", { class: "kind", x: x + width - 10, y: y + 17, "text-anchor": "end" }, object.kind),
    rows);
}

/** From the side of the field's row to the side of the target's head, or round the object's own corner. */
function drawEdge(edge, boxes) {
  const [from, to] = [boxes[edge.from], boxes[edge.to]];
  const y = from.y + HEAD + edge.field * ROW + 10;
  const end = to.y + 13;
  let path;
  if (edge.from === edge.to) {
    const x = from.x + from.width;
    path = `M ${x} ${y} c 26 4, 26 ${end - y - 8}, 2 ${end - y}`;
  } else if (to.x > from.x) {
    const x = from.x + from.width;
    path = `M ${x} ${y} C ${x + 40} ${y}, ${to.x - 40} ${end}, ${to.x - 2} ${end}`;
  } else if (to.x < from.x) {
    const x = to.x + to.width;
    path = `M ${from.x} ${y} C ${from.x - 40} ${y}, ${x + 40} ${end}, ${x + 2} ${end}`;
  } else {
    path = `M ${from.x} ${y} C ${from.x - 34} ${y}, ${from.x - 34} ${end}, ${to.x - 2} ${end}`;
  }
  const name = edge.is_forwarding ? "forwarding" : "";
  return svg("path", { class: `edge ${name}`, d: path, "marker-end": `url(#arrow${name ? "-forwarding" : ""})`, "data-from": edge.from, "data-to": edge.to });
}

function drawRoot(root, place, target) {
  const x = place.x + place.width / 2;
  const name = root.thread === null ? "" : threadClass(root.thread);
  return [
    svg("path", { class: `edge from-root ${name}`, d: `M ${x} ${place.y + ROOT} L ${x} ${target.y - 2}`, "marker-end": "url(#arrow)" }),
    svg("g", { class: `root ${name}`, "data-name": root.name },
      svg("title", {}, root.thread === null ? "shared variable" : "register"),
      svg("rect", { x: place.x, y: place.y, width: place.width, height: ROOT, rx: 11 }),
      svg("text", { x, y: place.y + 15, "text-anchor": "middle" }, root.name)),
  ];
}

/** The graph in words, for those who cannot see it. */
function describe(heap) {
  const names = heap.objects.map((object) => object.name);
  const objects = heap.objects.map((object) => `${object.name} is ${colour(object)}, ${object.fields.map((field) => field.join(" ")).join(", ")}`);
  const edges = heap.edges.map((edge) => `${names[edge.from]} ${edge.is_forwarding ? "forwards" : "refers"} to ${names[edge.to]}`);
  const roots = heap.roots.map((root) => `${root.name} refers to ${names[root.to]}`);
  return [...objects, ...edges, ...roots].join("; ");
}
