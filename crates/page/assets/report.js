// A report: the table of verdicts; a violated row shows its counterexample.
import { h } from "./dom.js";

/** What became of each property, if that was asked for. */
function properties(row) {
  if (row.properties.length === 0) return [];
  const item = ([name, word, depth]) => h("li", { "data-property": name, "data-word": word }, `${name}: ${word}`, depth === "" ? "" : ` after ${depth} steps`);
  return [h("details", {}, h("summary", {}, "properties"), h("ul", {}, row.properties.map(item)))];
}

/** The table of verdicts. */
export function verdicts(report, walk) {
  const head = ["variant", "scenario", "memory", "verdict", "states", "depth", "time", ""];
  const rows = report.rows.map((row) => {
    const open = row.run === null ? null : () => walk.show(report.runs[row.run], report.runs[row.run].frames.length - 1);
    const verdict = open ? h("button", { onclick: open }, row.verdict) : row.verdict;
    return h("tr", { "data-word": row.word, "data-run": row.run },
      h("td", {}, row.choice.variant), h("td", {}, row.choice.scenario), h("td", {}, row.choice.memory),
      h("td", { class: "verdict" }, verdict), h("td", { class: "number" }, row.states), h("td", { class: "number" }, String(row.depth)),
      h("td", { class: "number" }, row.time), h("td", {}, row.remark, ...properties(row)));
  });
  walk?.onChange(() => rows.forEach((row, i) => row.classList.toggle("shown", report.runs[report.rows[i].run] === walk.run)));
  const table = h("table", { class: "verdicts" }, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows));
  const scope = report.scope ? h("p", { class: "note" }, `scope: ${report.scope}`) : null;
  return h("details", { class: "panel", open: !walk },
    h("summary", {}, tally(report.rows)), h("div", { class: "scrolls" }, table, scope));
}

/** How many runs ended how: `7 runs: 5 violated, 2 hold`. */
function tally(rows) {
  const of = (word) => rows.filter((row) => row.word === word).length;
  const words = [["violated", "violated"], ["holds", "hold"], ["inconclusive", "inconclusive"]];
  const parts = words.filter(([word]) => of(word) > 0).map(([word, shown]) => `${of(word)} ${shown}`);
  return `${rows.length} ${rows.length === 1 ? "run" : "runs"}: ${parts.join(", ")}`;
}
