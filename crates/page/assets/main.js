// Where the page begins: reads its data, puts the panels together, keeps the address.
import { h } from "./dom.js";
import { fromAddress, toAddress } from "./address.js";
import { Walk } from "./walk.js";
import { lanesPanel } from "./lanes.js";
import { stepsPanel } from "./steps.js";
import { heapPanel } from "./heap.js";
import { cellsPanel, threadsPanel } from "./memory.js";
import { sourcePanel } from "./source.js";
import { propertiesBar } from "./properties.js";
import { verdictPanel } from "./why.js";
import { verdicts } from "./report.js";
import { controls } from "./controls.js";

const data = JSON.parse(document.getElementById("data").textContent);
const status = document.getElementById("status");

function say(message) {
  status.classList.remove("bad");
  status.textContent = message;
}

function report(error) {
  status.classList.add("bad");
  status.textContent = error.message;
}

/** What the state shown is, in a line. */
function describeState(walk) {
  const events = walk.run.events.filter((what) => what.step === walk.at && what.kind !== "issue");
  const words = events.map((what) => `${walk.run.threads[what.thread]}: ${what.text}${what.words ? ` – ${what.words}` : ""}`);
  const violated = walk.frame.violated ? `${walk.frame.violated} is violated here. ` : "";
  return `${violated}${words.join("; ")}`;
}

function build(walk, start, extra) {
  document.getElementById("top").replaceChildren(...controls(walk, start, say, report));
  const left = h("div", { class: "column steps-and-lanes" }, lanesPanel(walk), stepsPanel(walk, report));
  const middle = h("div", { class: "column" }, heapPanel(walk), cellsPanel(walk), threadsPanel(walk));
  const right = h("div", { class: "column" }, sourcePanel(walk));
  document.getElementById("main").replaceChildren(h("div", { class: "bar" }, verdictPanel(walk, report), extra, propertiesBar(walk)), left, middle, right);
  walk.onChange((what) => {
    if (what === "why") return;
    status.classList.toggle("bad", Boolean(walk.frame.violated));
    status.textContent = describeState(walk);
    document.body.dataset.at = walk.at;
    document.body.dataset.ready ??= Math.round(performance.now());
  });
}

/** Keeps the address that of the state shown. A browser is slow to change it, so it waits until nobody steps. What it gives
 * forgets a change that still waits. */
function keepAddress(walk) {
  let pending = null;
  let timer = 0;
  const settle = () => {
    clearTimeout(timer);
    if (pending) history.replaceState(null, "", pending);
    pending = null;
  };
  walk.onChange((what) => {
    if (what === "why") return;
    const address = toAddress(walk.state);
    // Another way is another entry of the browser's history; another state of the same way is not.
    if (what === "run") {
      settle();
      if (address !== location.hash) history.pushState(null, "", address);
    } else {
      pending = address;
      clearTimeout(timer);
      timer = setTimeout(settle, 120);
    }
  });
  return () => {
    pending = null;
  };
}

/** The page of a server: the address decides what is shown. */
function live(start) {
  const walk = new Walk(null, true);
  build(walk, start, null);
  const forget = keepAddress(walk);
  const follow = () => {
    forget();
    return walk.open(fromAddress(location.hash) ?? { choice: start.choice, path: start.path, at: start.path.steps.length }).catch(report);
  };
  // Both the browser's own back and forward and an address typed by hand come as this.
  window.addEventListener("popstate", follow);
  follow();
}

/** A report: all states are here. */
function still(data) {
  const first = data.runs[0];
  if (!first) {
    document.getElementById("top").replaceChildren(h("h1", {}, data.title, h("small", {}, "Lacuna")));
    document.getElementById("main").replaceChildren(h("div", { class: "bar" }, verdicts(data, null)));
    return;
  }
  const walk = new Walk(first, false);
  build(walk, data, verdicts(data, walk));
  walk.show(first, first.frames.length - 1);
}

document.body.dataset.mode = data.live ? "live" : "report";
if (data.live) live(data.live);
else still(data.report);
