// Elements, made with few words.

/** An HTML element with attributes and children; what is null or false is left out. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    // Set by a script it is allowed; an attribute in the text is not.
    else if (name === "style") element.style.cssText = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A panel with a heading. */
export function panel(title, id, attributes, ...children) {
  const heading = h("h2", { id: `${id}-title` }, title);
  return h("section", { id, "aria-labelledby": `${id}-title`, ...attributes, class: `panel ${attributes?.class ?? ""}` }, heading, ...children);
}

/** The class of a thread's colour. */
export function threadClass(thread) {
  return `thread-${thread % 6}`;
}
