// Lanes: one column for each thread, a line for each thing that happened, an arc from the issue of a late operation to its perform.
import { h, svg, panel, threadClass } from "./dom.js";
import { isLoop } from "./walk.js";

const HAPPENING_MARKS = { issue: "○", perform: "●", late: "◑", begin: "·", track: "◌", publish: "●", commit: "·", abort: "↶", pass: "·", spin: "↻", guess: "?", fail: "✗" };

/** The panel of lanes. */
export function lanesPanel(walk) {
  const box = h("div", { class: "lanes-box" });
  const scrolls = h("div", { class: "scrolls", tabindex: 0, "aria-label": "steps of the walk" }, box);
  let rows = [];
  const draw = () => {
    rows = drawRows(walk, box);
    mark();
  };
  const mark = () => {
    if (!walk.run) return;
    for (const { row, step } of rows) {
      row.classList.toggle("now", step === walk.at);
      row.classList.toggle("later", step > walk.at);
      row.classList.toggle("aside", isAside(walk.run, step));
      if (step === walk.at) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    const now = rows.filter(({ step }) => step === walk.at).at(-1)?.row;
    if (now) keepInView(scrolls, now, now.querySelector(".event")?.parentElement);
    else if (walk.at === 0) scrolls.scrollTop = 0;
  };
  walk.onChange((what) => (what === "run" ? draw() : mark()));
  new ResizeObserver(() => {
    drawArcs(walk, box, rows);
    mark();
  }).observe(box);
  new ResizeObserver(mark).observe(scrolls);
  return panel("Lanes", "lanes", { class: "grows" }, scrolls);
}

function drawRows(walk, box) {
  const { run } = walk;
  // A thread that does nothing in the run has a narrow lane.
  const isIdle = run.threads.map((_, i) => run.events.length > 0 && !run.events.some((event) => event.thread === i));
  const idle = (i) => (isIdle[i] ? "idle" : "");
  const head = h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden" }, "step")),
    run.threads.map((name, i) => h("th", { scope: "col", class: `${threadClass(i)} ${idle(i)}`, title: isIdle[i] ? `${name} does nothing in this run` : null }, h("span", {}, name))));
  const columns = h("colgroup", {}, h("col", { class: "number" }), run.threads.map((_, i) => h("col", { class: idle(i) })));
  const body = h("tbody");
  const rows = [];
  let last = null;
  let isLooping = false;
  for (const event of run.events) {
    if (!isLooping && isLoop(run.path) && event.step > run.path.loop_start) {
      isLooping = true;
      body.append(rule(run, "repeats forever from here"));
    }
    const row = h("tr", { "data-step": event.step, onclick: () => walk.go(event.step) },
      h("th", { scope: "row" }, event.step === last ? "" : String(event.step)),
      run.threads.map((name, i) => h("td", { class: `${threadClass(i)} ${idle(i)}`, "data-lane": name }, i === event.thread ? line(event) : null)));
    last = event.step;
    rows.push({ row, step: event.step });
    body.append(row);
  }
  if (run.events.length === 0) body.append(rule(run, "nothing has happened yet: choose a step below"));
  if (isLooping) body.append(rule(run, `back to step ${run.path.loop_start + 1}`));
  box.replaceChildren(h("table", { class: "lanes", style: `min-width: ${40 + isIdle.reduce((sum, is) => sum + (is ? 26 : 176), 0)}px` }, columns, h("thead", {}, head), body), svg("svg", { class: "arcs", "aria-hidden": "true" }));
  drawArcs(walk, box, rows);
  return rows;
}

/** Whether the explanation of this very run does without the step. */
function isAside({ why, path }, step) {
  return Boolean(why?.slice.length) && why.path.steps.join() === path.steps.join() && step > 0 && !why.slice.includes(step);
}

function rule(run, text) {
  return h("tr", { class: "rule" }, h("td", { colspan: run.threads.length + 1 }, text));
}

function line(event) {
  const where = [event.place ? `line ${event.place.line}` : "", event.within ? `in ${event.within}` : ""].filter(Boolean).join(" ");
  const words = event.kind === "issue" ? "issued, and overtaken" : event.words;
  return h("div", { class: `event ${event.kind}`, "data-mark": HAPPENING_MARKS[event.kind], "data-kind": event.kind },
    h("code", {}, event.text), h("span", { class: "words" }, words, words && where ? " · " : "", h("span", { class: "where" }, where)),
    event.chosen ? h("span", { class: "words chosen" }, `chooses ${event.chosen}`) : null);
}

/** An arc for each late operation; a dashed one down to the end for those that still wait. */
function drawArcs(walk, box, rows) {
  const canvas = box.querySelector(".arcs");
  if (!canvas || rows.length === 0) return;
  const { events } = walk.run;
  const arrived = new Map(events.flatMap((what, i) => (what.issue === null ? [] : [[what.issue, i]])));
  const depth = new Map();
  canvas.replaceChildren(...events.flatMap((what, i) => {
    if (what.kind !== "issue") return [];
    const to = arrived.get(i);
    // Arcs that run side by side in one lane lie at different distances.
    const level = [...depth.values()].filter((other) => other.thread === what.thread && (other.to ?? events.length) > i).length;
    depth.set(i, { thread: what.thread, to });
    return arc(rows, i, to, what.thread, level);
  }));
}

function arc(rows, from, to, thread, level) {
  const start = point(rows[from].row, thread);
  const end = to === undefined ? bottom(rows.at(-1).row, start.x) : point(rows[to].row, thread);
  const x = start.x - 7 - level * 3;
  const path = `M ${start.x - 2} ${start.y} C ${x - 4} ${start.y}, ${x} ${start.y + 10}, ${x} ${start.y + 14} `
    + (to === undefined ? `L ${x} ${end.y}` : `L ${x} ${end.y - 14} C ${x} ${end.y - 6}, ${x - 1} ${end.y}, ${end.x - 4} ${end.y}`);
  const line = svg("path", { d: path, class: to === undefined ? "open" : "arc", "data-from": from, "data-to": to });
  const tip = svg("path", { class: "tip", d: `M ${end.x - 5} ${end.y - 3.5} l 5 3.5 l -5 3.5 z` });
  return to === undefined ? [line] : [line, tip];
}

function point(row, thread) {
  const cell = row.children[thread + 1];
  return { x: cell.offsetLeft + 17, y: row.offsetTop + 13 };
}

function bottom(row, x) {
  return { x, y: row.offsetTop + row.offsetHeight };
}

/** Scrolls `box` alone, so that `row` is seen with some lines around it, and of a wide row the `cell`; once before the next picture, however
 * often asked. */
export function keepInView(box, row, cell) {
  if (!inView.has(box)) requestAnimationFrame(() => scrollTo(box, ...inView.get(box)));
  inView.set(box, [row, cell]);
}

const inView = new Map();

function scrollTo(box, row, cell) {
  inView.delete(box);
  const spare = Math.max(0, box.clientHeight - row.offsetHeight);
  const above = Math.min(90, spare);
  const top = row.offsetTop - above;
  const end = row.offsetTop + row.offsetHeight + Math.min(45, spare - above);
  if (top < box.scrollTop) box.scrollTop = top;
  else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
  if (!cell) return;
  const [left, right] = [cell.offsetLeft - 44, cell.offsetLeft + cell.offsetWidth];
  if (left < box.scrollLeft) box.scrollLeft = left;
  else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
}
