// What a person would object to in the page as it is shown now, one line each: run in the browser by the tests of views.
const wrong = [];
const [wide, high] = [document.documentElement.clientWidth, window.innerHeight];
const name = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${String(element.getAttribute("class") ?? "").trim().replace(/\s+/g, ".")} "${element.textContent.trim().slice(0, 40)}"`;
const isShown = (element) => element.checkVisibility() && !element.closest(".hidden, details:not([open]) > :not(summary), dialog:not([open])");
const isOnScreen = (box) => box.bottom > 0 && box.top < high && box.right > 0 && box.left < wide;
const inside = (box, frame) => box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1 && box.left >= frame.left - 1 && box.left < frame.right;

// The page does not scroll sideways.
if (document.documentElement.scrollWidth > wide) wrong.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${wide}`);

// The verdict and the failing step are to be seen without scrolling.
const screen = { top: 0, bottom: high, left: 0, right: wide };
const title = document.querySelector("#why:not([hidden]) > h2");
if (!title || !inside(title.getBoundingClientRect(), screen)) wrong.push("the verdict is not on the screen");
const cause = document.querySelector("#why .sentence");
if (!cause || !inside(cause.getBoundingClientRect(), screen)) wrong.push("the explanation does not begin on the screen");
const rows = [...document.querySelectorAll(".lanes tr.now")];
if (rows.length === 0 && document.body.dataset.at !== "0") wrong.push("no step is marked");
for (const row of rows.slice(-1)) {
  const [event, lanes] = [row.querySelector(".event").getBoundingClientRect(), row.closest(".scrolls").getBoundingClientRect()];
  if (!inside(event, screen) || !inside(event, lanes)) wrong.push(`the failing step is not on the screen: ${event.top} to ${event.bottom} of ${high}, lanes ${lanes.top} to ${lanes.bottom}, left ${event.left}`);
}

// What fails comes first, and is red.
const chips = [...document.querySelectorAll(".properties > .chip:not(.watch)")];
if (chips[0]?.dataset.now !== "fails") wrong.push("the first property is not one that fails");
if (chips.filter((chip) => chip.dataset.now !== "fails").length > 6) wrong.push("many properties are not folded");

// Colours as numbers, and their contrast.
const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
const light = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
};
const contrast = (one, other) => Math.max(light(one), light(other)) / Math.min(light(one), light(other));
const isOpaque = (colour) => colour.length >= 3 && (colour[3] ?? 1) > 0.5;
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (isOpaque(colour)) return colour;
  }
  return [255, 255, 255];
};
// Below a text of the heap lies what was drawn before it.
const painted = (text) => {
  const middle = text.getBoundingClientRect();
  const [x, y] = [middle.left + middle.width / 2, middle.top + middle.height / 2];
  const below = [...text.closest("svg").querySelectorAll("rect, path.head")].filter((shape) => {
    const box = shape.getBoundingClientRect();
    const fill = getComputedStyle(shape).fill;
    const isBefore = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    return isBefore && fill.startsWith("rgb") && x > box.left && x < box.right && y > box.top && y < box.bottom;
  });
  return below.length > 0 ? parse(getComputedStyle(below.at(-1)).fill) : ground(text.closest("div"));
};

// Every text is large enough, and can be read on its ground.
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const element = words.currentNode.parentElement;
  if (!words.currentNode.textContent.trim() || element.closest("script, style, noscript, title, option") || !isShown(element)) continue;
  const style = getComputedStyle(element);
  if (parseFloat(style.fontSize) < 11) wrong.push(`${name(element)} has ${style.fontSize}`);
  if (element.closest(":disabled")) continue;
  const isDrawn = Boolean(element.closest("svg"));
  const found = contrast(parse(isDrawn ? style.fill : style.color), isDrawn ? painted(element) : ground(element));
  if (found < 4.5) wrong.push(`${name(element)} has a contrast of ${found.toFixed(2)}`);
}

// Nothing is cut off.
for (const element of document.querySelectorAll("button, h1, h2, h3, th, td, .chip, p, li, code, summary, .event")) {
  if (isShown(element) && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 2 && !element.querySelector(".scrolls")) wrong.push(`${name(element)} is cut off: ${element.scrollWidth} in ${element.clientWidth}`);
}

// Texts of the heap stay in their boxes, and arrows go round all boxes.
for (const object of document.querySelectorAll(".heap .object")) {
  const box = object.querySelector(".box").getBBox();
  for (const row of object.querySelectorAll("g, :scope")) {
    const texts = [...row.children].filter((child) => child.tagName === "text").map((text) => text.getBBox());
    if (texts.some((text) => text.x < box.x || text.x + text.width > box.x + box.width + 1)) wrong.push(`a text leaves ${object.dataset.name}`);
    if (texts.length === 2 && texts[0].x + texts[0].width > texts[1].x) wrong.push(`two texts of ${object.dataset.name} overlap`);
  }
}
const boxes = [...document.querySelectorAll(".heap .object .box, .heap .root rect")].map((box) => [box, box.getBBox()]);
for (const arrow of document.querySelectorAll(".heap path.edge")) {
  const length = arrow.getTotalLength();
  for (let at = 0; at <= length; at += 3) {
    const { x, y } = arrow.getPointAtLength(at);
    const hit = boxes.find(([, box]) => x > box.x + 1.5 && x < box.x + box.width - 1.5 && y > box.y + 1.5 && y < box.y + box.height - 1.5);
    if (hit) {
      wrong.push(`an arrow goes through ${name(hit[0].parentElement)}`);
      break;
    }
  }
}
return [...new Set(wrong)].slice(0, 20);
