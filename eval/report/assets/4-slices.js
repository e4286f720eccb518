// Averages by slice: a group of bars for every part.
const { el, svg, data } = page;
const names = [...new Set(data.slices.map((p) => p.slice))];
const measures = data.eval.measures;
const chosen = { slice: Math.max(0, names.indexOf("domain-subclass")), measure: Math.max(0, measures.indexOf(data.compare.by)) };

function show() {
  const parts = data.slices.filter((p) => p.slice === names[chosen.slice]);
  const value = (p, s) => p.values[s][chosen.measure];
  const high = Math.max(0.01, ...parts.flatMap((p) => page.systems.map((_, s) => value(p, s) ?? 0)));
  page.draw(page.byId("slice-chart"), `${measures[chosen.measure]} by ${names[chosen.slice]}`, (width) => {
    const bar = Math.max(4, Math.min(13, 64 / page.systems.length)), group = bar * page.systems.length + 16;
    const left = Math.min(150, width * 0.36), height = parts.length * group + 30;
    const x = page.linear(0, high * 1.04, left, width - 48);
    const g = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${measures[chosen.measure]} by ${names[chosen.slice]}` });
    for (const t of page.ticks(0, high, Math.max(2, Math.floor((width - left) / 100)))) {
      g.append(svg("line", { class: "grid", x1: x(t), x2: x(t), y1: 0, y2: height - 26 }), svg("text", { x: x(t), y: height - 8, "text-anchor": "middle" }, page.label(t)));
    }
    parts.forEach((p, n) => {
      const top = n * group + 6, middle = top + (group - 16) / 2;
      g.append(svg("text", { x: left - 8, y: middle + 1, "text-anchor": "end" }, p.part), svg("text", { x: left - 8, y: middle + 14, "text-anchor": "end", opacity: 0.75 }, `${p.topics} topics`));
      page.systems.forEach((name, s) => {
        const v = value(p, s);
        if (v === null) return;
        const told = `${name}\n${p.slice} ${p.part}: ${page.fixed(v)}\n${p.topics} topics, ${p.golds} golds`;
        g.append(svg("rect", { class: "hit", x: left, y: top + s * bar, width: Math.max(1, x(v) - left), height: bar - 1.5, rx: 1.5, fill: page.color(s), ...page.hover(told) }));
        if (bar > 9) g.append(svg("text", { x: x(v) + 4, y: top + s * bar + bar - 3 }, page.fixed(v, 3)));
      });
    });
    return g;
  }, page.legend(page.systems, page.systems.map((_, s) => page.color(s))));
  const row = (cells, name) => el("tr", {}, ...cells.map((c, i) => el(i && name === "td" ? "td" : "th", { scope: name === "th" ? "col" : i ? "" : "row" }, String(c))));
  page.byId("slice-table").replaceChildren(
    el("thead", {}, row([names[chosen.slice], "topics", "golds", "left out", ...page.systems], "th")),
    el("tbody", {}, ...parts.map((p) => row([p.part, p.topics, p.golds, p.dropped, ...page.systems.map((_, s) => page.fixed(value(p, s)))], "td"))));
}

page.options("slice-name", names, chosen.slice, (i) => { chosen.slice = i; show(); });
page.options("slice-measure", measures, chosen.measure, (i) => { chosen.measure = i; show(); });
if (names.length) show();
