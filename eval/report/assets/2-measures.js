// The tests of one measure: difference and interval of every system against the baseline.
const { el, svg, data } = page;
const { measures, systems, baseline, by } = data.compare;

function show(m) {
  const tested = systems.map((s, i) => ({ i, name: s.name, ...s.scores[m].test })).filter((s) => s.topics !== undefined);
  const row = (cells, name = "td") => el("tr", {}, ...cells.map((c, i) => el(i ? name : "th", i || name === "th" ? {} : { scope: "row" }, c)));
  page.byId("test-table").replaceChildren(
    el("thead", {}, row(["system", "difference", `${100 * data.compare.confidence} % from`, "to", "wins", "losses", "ties", "p", "p corrected"], "th")),
    el("tbody", {}, ...tested.map((t) => row([t.name, page.signed(t.difference), page.signed(t.low), page.signed(t.high), t.wins, t.losses, t.ties, page.p(t.p) + (t.exact ? " exact" : ""), page.p(t.holm)].map(String)))));
  const low = Math.min(0, ...tested.map((t) => t.low)), high = Math.max(0, ...tested.map((t) => t.high));
  page.draw(page.byId("test-chart"), `${measures[m]}: difference to ${baseline}, with its ${100 * data.compare.confidence} % interval`, (width) => {
    const left = Math.min(190, width * 0.34), height = 40 + 30 * tested.length;
    const pad = (high - low || 0.01) * 0.06;
    const x = page.linear(low - pad, high + pad, left, width - 14);
    const g = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `differences of ${measures[m]}` });
    for (const t of page.ticks(low - pad, high + pad, Math.max(2, Math.floor((width - left) / 90)))) {
      g.append(svg("line", { class: t === 0 ? "zero" : "grid", x1: x(t), x2: x(t), y1: 6, y2: height - 26 }));
      g.append(svg("text", { x: x(t), y: height - 8, "text-anchor": "middle" }, t > 0 ? `+${page.label(t)}` : page.label(t)));
    }
    tested.forEach((t, n) => {
      const y = 22 + 30 * n;
      const told = `${t.name}\n${page.signed(t.difference)} (${page.signed(t.low)} to ${page.signed(t.high)})\np ${page.p(t.p)}, corrected ${page.p(t.holm)}`;
      g.append(
        svg("text", { x: left - 10, y: y + 4, "text-anchor": "end" }, t.name.length > left / 7 ? `${t.name.slice(0, left / 7 - 1)}…` : t.name),
        svg("line", { x1: x(t.low), x2: x(t.high), y1: y, y2: y, stroke: page.color(t.i), "stroke-width": 3, "stroke-linecap": "round" }),
        svg("circle", { class: "hit", cx: x(t.difference), cy: y, r: 6, fill: t.holm < 0.05 ? page.color(t.i) : "var(--panel)", stroke: page.color(t.i), "stroke-width": 2, tabindex: 0, ...page.hover(told) }));
    });
    return g;
  }, el("div", { class: "legend" }, "filled: p corrected < 0.05"));
}

const first = Math.max(0, measures.indexOf(by));
page.options("test-measure", measures, first, show);
show(first);
