// Where the objects of a heap stand, and how arrows go round them: objects stand in a grid, and arrows run in the aisles between
// its columns and rows. What leads to an object from outside stands above it. All states of a run have the same places.

const CHARACTER = 7.3;
const HEAD = 26;
const ROW = 18;
const PILL = 20;
const TRACK = 7;
const MARGIN = 8;

/** The name of a root as it is shown. */
export function rootName(root, threads) {
  if (root.thread === null) return root.name;
  return root.name.startsWith("%") ? threads[root.thread] : `${threads[root.thread]}.${root.name}`;
}

/** The grid of a run, no wider than `width` if that is possible. */
export function heapGrid(frames, threads, width) {
  const heaps = frames.map((frame) => frame.heap);
  const { objects } = heaps[0];
  const box = Math.min(260, Math.max(104, ...heaps.flatMap((heap) => [...heap.objects.map(objectWidth), ...heap.roots.map((root) => pillWidth(root, threads))])));
  const most = Math.max(1, Math.floor((width - 2 * MARGIN + 44) / (box + 44)));
  const n = Math.min(objects.length, most, Math.ceil(Math.sqrt(objects.length * 1.6))) || 1;
  const rows = Math.ceil(objects.length / n);
  const grid = { columns: n, rows, box, threads, aisles: Array(n + 1).fill(0), corridors: Array(rows).fill(0), pills: Array(rows).fill(0) };
  for (const heap of heaps) measure(grid, heap);
  grid.heights = grid.pills.map((_, row) => Math.max(...objects.slice(row * n, row * n + n).map((object) => HEAD + object.fields.length * ROW + 8)));
  return grid;
}

function objectWidth(object) {
  const row = ([name, value]) => (name.length + value.length) * CHARACTER + 34;
  return Math.max((object.name.length + object.kind.length) * CHARACTER + 74, ...object.fields.map(row));
}

function pillWidth(root, threads) {
  return rootName(root, threads).length * CHARACTER + 16;
}

/** Widens aisles, corridors and the room for roots to what one state needs. */
function measure(grid, heap) {
  const { verticals, horizontals } = route(grid, heap);
  verticals.forEach((n, i) => (grid.aisles[i] = Math.max(grid.aisles[i], n)));
  horizontals.forEach((n, i) => (grid.corridors[i] = Math.max(grid.corridors[i], n)));
  heap.objects.forEach((_, i) => {
    const row = Math.floor(i / grid.columns);
    grid.pills[row] = Math.max(grid.pills[row], stack(grid, heap, i).n);
  });
}

/** For each reference the aisles and the corridor that it takes, and its track in each; and how many tracks each has. */
function route(grid, heap) {
  const verticals = Array(grid.columns + 1).fill(0);
  const horizontals = Array(grid.rows).fill(0);
  const arrivals = new Map();
  const ways = heap.edges.map((edge) => {
    const [from, to] = [edge.from % grid.columns, edge.to % grid.columns];
    const leaves = to < from ? from : from + 1;
    const enters = to > from ? to : to + 1;
    const row = Math.floor(edge.to / grid.columns);
    const side = `${edge.to} ${enters}`;
    const arrival = arrivals.get(side) ?? 0;
    arrivals.set(side, arrival + 1);
    const way = { leaves, enters, row, arrival, first: verticals[leaves]++ };
    return leaves === enters ? way : { ...way, across: horizontals[row]++, second: verticals[enters]++ };
  });
  return { ways, verticals, horizontals };
}

/** The roots of an object, side by side and then in further rows above it. */
function stack(grid, heap, object) {
  let [x, n] = [0, 0];
  const places = heap.roots.filter((root) => root.to === object).map((root) => {
    const width = Math.min(pillWidth(root, grid.threads), grid.box);
    if (n === 0 || x + width > grid.box) [x, n] = [0, n + 1];
    const place = { root, x, row: n - 1, width };
    x += width + 5;
    return place;
  });
  return { places, n };
}

/** All that there is to draw of one state. */
export function placeHeap(grid, heap) {
  const lefts = [];
  let x = MARGIN;
  const wide = (tracks) => (tracks > 0 ? 22 + tracks * TRACK : 0);
  const starts = grid.aisles.map((tracks, i) => {
    const start = x;
    x += Math.max(wide(tracks), i === 0 || i === grid.columns ? 0 : 28);
    if (i < grid.columns) lefts.push(x);
    x += i < grid.columns ? grid.box : 0;
    return start;
  });
  const tops = [];
  let y = 4;
  const corridors = grid.corridors.map((tracks, row) => {
    const start = y + 4;
    y += tracks * TRACK + 6 + (grid.pills[row] > 0 ? grid.pills[row] * (PILL + 4) + 12 : 0);
    tops.push(y);
    y += grid.heights[row] + 14;
    return start;
  });
  const boxes = heap.objects.map((object, i) => ({ x: lefts[i % grid.columns], y: tops[Math.floor(i / grid.columns)], width: grid.box, height: HEAD + object.fields.length * ROW + 8 }));
  const roots = boxes.flatMap((box, i) => {
    const { places, n } = stack(grid, heap, i);
    return places.map(({ root, x: left, row, width }) => ({ root, x: box.x + left, y: box.y - 12 - (n - row) * (PILL + 4) + 2, width, height: PILL, isLowest: row === n - 1 }));
  });
  const { ways } = route(grid, heap);
  const track = (aisle, n) => starts[aisle] + 11 + n * TRACK;
  const arrows = heap.edges.map((edge, i) => {
    const way = ways[i];
    const [from, to] = [boxes[edge.from], boxes[edge.to]];
    const [start, end] = [from.y + HEAD + edge.field * ROW + 9, to.y + 6 + (way.arrival % 4) * 5];
    const out = way.leaves > edge.from % grid.columns ? from.x + from.width : from.x;
    const into = way.enters > edge.to % grid.columns ? to.x + to.width + 2 : to.x - 2;
    const first = track(way.leaves, way.first);
    if (way.across === undefined) return { edge, points: [[out, start], [first, start], [first, end], [into, end]] };
    const [across, second] = [corridors[way.row] + way.across * TRACK, track(way.enters, way.second)];
    return { edge, points: [[out, start], [first, start], [first, across], [second, across], [second, end], [into, end]] };
  });
  return { boxes, roots, arrows, width: x + MARGIN, height: y };
}

/** A line through points, with round corners. */
export function roundPath(points) {
  const toward = ([x, y], [a, b]) => {
    const length = Math.hypot(a - x, b - y) || 1;
    const r = Math.min(5, length / 2);
    return [x + ((a - x) / length) * r, y + ((b - y) / length) * r];
  };
  const corners = points.slice(1, -1).map((point, i) => `L ${toward(point, points[i])} Q ${point} ${toward(point, points[i + 2])}`);
  return `M ${points[0]} ${corners.join(" ")} L ${points.at(-1)}`;
}
