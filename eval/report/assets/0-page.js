// What all parts of the page use: its data, elements, numbers, the hover text and the theme.
const page = window.page = {};
page.data = JSON.parse(document.getElementById("data").textContent);
page.systems = page.data.compare.systems.map((s) => s.name);
page.baseline = 0; // the first system always is

page.byId = (id) => document.getElementById(id);
page.color = (i) => `var(--s${i < 8 ? i : 1 + (i - 1) % 7})`;
// From the eighth system on colours repeat, and lines are dashed.
page.dash = (i) => (i < 8 ? "" : "5 3");
page.fixed = (v, n = 4) => (v === null || v === undefined ? "–" : v.toFixed(n).replace("-", "−"));
page.signed = (v, n = 4) => (v > 0 ? "+" : "") + page.fixed(v, n);
page.p = (v) => (v < 0.0001 ? "<0.0001" : v.toFixed(4));

const svgNames = "http://www.w3.org/2000/svg";

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== "") element.setAttribute(name, value);
  }
  // Strings become text nodes: no text of a patent is ever read as markup.
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}
page.el = (name, attributes = {}, ...children) => make(document.createElement(name), attributes, children);
page.svg = (name, attributes = {}, ...children) => make(document.createElementNS(svgNames, name), attributes, children);

page.options = (id, texts, chosen, change) => {
  const select = page.byId(id);
  texts.forEach((text, i) => select.append(page.el("option", { value: i }, text)));
  select.value = chosen;
  select.addEventListener("change", () => change(Number(select.value)));
  return select;
};

const tip = page.byId("tip");
page.tip = (event, text) => {
  tip.textContent = text;
  tip.hidden = false;
  const at = event.clientX !== undefined && event.clientX !== 0 ? { x: event.clientX, y: event.clientY } : event.target.getBoundingClientRect();
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(at.x + 14, innerWidth - box.width - 6))}px`;
  tip.style.top = `${at.y + 18 + box.height > innerHeight ? at.y - box.height - 10 : at.y + 18}px`;
};
page.untip = () => { tip.hidden = true; };
page.hover = (text) => ({
  onmousemove: (e) => page.tip(e, text), onmouseleave: page.untip, onfocus: (e) => page.tip(e, text), onblur: page.untip,
});

document.querySelectorAll(".dot[data-system]").forEach((dot) => { dot.style.background = page.color(Number(dot.dataset.system)); });

// The theme is the system's until the button is pressed; the choice lasts where the browser lets a local file store it.
const root = document.documentElement;
const stored = (() => { try { return localStorage.getItem("dssdnet-theme"); } catch { return null; } })();
if (stored) root.dataset.theme = stored;
page.byId("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("dssdnet-theme", root.dataset.theme); } catch { /* the choice lasts for this page */ }
});
