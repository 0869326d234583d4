// The text, with the lines of the last step, the lines that wait, and where each thread is.
import { h, panel, threadClass } from "./dom.js";
import { keepInView } from "./lanes.js";

const KEYS = /\b(use|param|flag|const|type|enum|word|object|heap|cell|abstract|ghost|require|proc|thread|scenario|variant|invariant|forbid|ltl|cover|expect|let|if|else|while|loop|each|in|choose|or|and|not|atomic|stop_the_world|fence|assert|assume|safepoint|return|break|continue|stop|skip)\b/;

/** The panel of the text. */
export function sourcePanel(walk) {
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "files" });
  const box = h("div", { class: "scrolls", tabindex: 0, role: "tabpanel", "aria-label": "source" });
  let files = [];
  let shown = -1;
  const select = (file) => {
    if (shown === file) return;
    shown = file;
    [...tabs.children].forEach((tab, i) => tab.setAttribute("aria-selected", String(i === file)));
    box.replaceChildren(files[file].pre);
  };
  const update = () => {
    const marks = linesOf(walk);
    files.forEach((file, i) => file.lines.forEach((line, n) => mark(line, marks.get(`${i}:${n + 1}`))));
    const here = marks.focus;
    if (!here) return;
    select(here.file);
    const line = files[here.file].lines[here.line - 1];
    if (line) keepInView(box, line);
  };
  new ResizeObserver(() => walk.run && update()).observe(box);
  walk.onChange((what) => {
    if (what === "run" && texts(files) !== texts(walk.run.files)) {
      files = walk.run.files.map(render);
      shown = -1;
      tabs.replaceChildren(...files.map((file, i) => h("button", { role: "tab", onclick: () => select(i) }, file.name.split("/").at(-1))));
      select(0);
    }
    update();
  });
  return panel("Source", "source", { class: "grows" }, tabs, box);
}

function texts(files) {
  return files.map((file) => file.text).join("\0");
}

function render(file) {
  const lines = file.text.replace(/\n$/, "").split("\n").map((text, n) => h("div", { class: "line", "data-line": n + 1 }, h("span", { class: "text" }, ...coloured(text))));
  return { ...file, lines, pre: h("pre", { class: "source" }, lines) };
}

function coloured(text) {
  const comment = text.indexOf("//");
  const code = comment < 0 ? text : text.slice(0, comment);
  const words = code.split(/(\b[a-z_]+\b)/).map((word) => (KEYS.test(word) ? h("span", { class: "key" }, word) : word));
  return comment < 0 ? words : [...words, h("span", { class: "comment" }, text.slice(comment))];
}

/** For each line that matters its marks, by `file:line`; and the line to look at. */
function linesOf(walk) {
  const marks = new Map();
  const at = (place) => {
    const key = `${place.file}:${place.line}`;
    if (!marks.has(key)) marks.set(key, { threads: [] });
    return marks.get(key);
  };
  walk.frame.threads.forEach((thread, i) => {
    if (thread.place) at(thread.place).threads.push(i);
    thread.queue.filter((entry) => entry.place).forEach((entry) => (at(entry.place).waits = true));
  });
  const events = walk.run.events.filter((what) => what.step === walk.at && what.step > 0 && what.place && what.kind !== "issue");
  for (const what of events) Object.assign(at(what.place), { hit: true, bad: what.kind === "fail" });
  walk.frame.properties.filter(({ now, place }) => now === "fails" && place).forEach(({ place }) => (at(place).fails = true));
  marks.focus = events.at(-1)?.place ?? walk.frame.threads.find((thread) => thread.place)?.place;
  marks.forEach((found) => (found.names = walk.run.threads));
  return marks;
}

function mark(line, found) {
  const names = ["line", found?.hit ? "hit" : "", found?.bad ? "bad" : "", found?.waits ? "waits" : "", found?.fails ? "fails" : ""].filter(Boolean).join(" ");
  if (line.className !== names) line.className = names;
  line.querySelectorAll(".at").forEach((old) => old.remove());
  found?.threads.forEach((thread) => line.append(h("span", { class: `at ${threadClass(thread)}` }, `◂ ${found.names[thread]}`)));
}
