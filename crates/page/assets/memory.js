// Shared state outside objects, and each thread's registers and pending operations.
import { h, panel, threadClass } from "./dom.js";

/** The panel of variables. */
export function cellsPanel(walk) {
  const list = h("dl", { class: "cells" });
  walk.onChange(() => list.replaceChildren(...walk.run.cells.map((cell, i) => {
    const value = walk.frame.cells[i];
    const isChanged = walk.before && walk.before.cells[i] !== value;
    const name = `${cell.is_abstract ? "abstract" : ""} ${isChanged ? "changed" : ""}`;
    return h("div", { class: name, "data-cell": cell.name, title: cell.is_abstract ? "abstract state" : null },
      h("dt", { class: "code" }, cell.name), " = ", h("dd", { class: "value" }, value));
  })));
  return panel("Shared state", "cells", {}, list);
}

/** The panel of threads. */
export function threadsPanel(walk) {
  const box = h("div", { class: "scrolls" });
  walk.onChange(() => box.replaceChildren(...walk.run.threads.map((name, i) => threadBox(name, i, walk))));
  return panel("Threads: registers and pending operations", "threads", {}, box);
}

function threadBox(name, i, walk) {
  const thread = walk.frame.threads[i];
  const before = walk.before?.threads[i];
  const where = thread.place ? `at line ${thread.place.line}` : "";
  const mode = { running: where, spinning: "goes round forever", aborted: "its transaction is aborted", ended: "has ended", failed: `has failed ${where}` }[thread.mode];
  const known = new Map(before?.registers.map((register) => [register.name, register.value]));
  const registers = thread.registers.map((register) => {
    const isChanged = before && known.get(register.name) !== register.value;
    return h("div", { class: isChanged ? "changed" : "", "data-register": register.name },
      h("dt", { class: "code" }, register.name), " = ", h("dd", { class: "value" }, register.value ?? "… pending"));
  });
  return h("div", { class: `thread-box ${threadClass(i)}`, "data-thread": name },
    h("h3", {}, name, " ", h("small", {}, mode)),
    registers.length > 0 ? h("dl", { class: "cells", style: "padding: 0" }, registers) : null,
    queue(thread.queue));
}

function queue(entries) {
  if (entries.length === 0) return null;
  const items = entries.map((entry) => h("li", { class: `${entry.kind} ${entry.is_speculative ? "speculative" : ""}`, title: entry.text },
    h("code", {}, entry.words || entry.text), entry.place ? h("span", { class: "where" }, ` line ${entry.place.line}`) : null));
  return h("ol", { class: "queue", "aria-label": "pending, oldest first" }, h("li", { class: "end" }, "pending:"), items);
}
