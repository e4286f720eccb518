// Topic by topic: a system's value over the baseline's, and the biggest changes.
const { el, svg, data } = page;
const { points, compare } = data;
const others = page.systems.map((_, s) => s).slice(1);
const chosen = { system: 0, measure: Math.max(0, points.measures.indexOf(compare.by)) };

function show() {
  const s = others[chosen.system], name = page.systems[s];
  const base = points.values[chosen.measure][page.baseline], values = points.values[chosen.measure][s];
  page.draw(page.byId("point-chart"), `${points.measures[chosen.measure]}: ${name} (up) against ${compare.baseline} (right)`, (width) => {
    const size = Math.min(width, 560), m = page.margin;
    const high = Math.min(1, 1.05 * Math.max(0.02, ...base.filter((v) => v !== null), ...values.filter((v) => v !== null)));
    const x = page.linear(0, high, m.left, size - m.right), y = page.linear(0, high, size - m.bottom, m.top);
    const ticks = page.ticks(0, high);
    const g = page.frame(size, size, { scale: x, ticks, label: compare.baseline }, { scale: y, ticks }, "topics");
    g.append(svg("line", { class: "zero", x1: x(0), y1: y(0), x2: x(high), y2: y(high), "stroke-dasharray": "4 3" }));
    points.topics.forEach((t, i) => {
      if (base[i] === null || values[i] === null) return;
      const told = `${t.id}\n${t.title}\n${compare.baseline} ${page.fixed(base[i])}, ${name} ${page.fixed(values[i])}\n${t.golds} golds`;
      const better = values[i] > base[i] + 1e-9, worse = values[i] < base[i] - 1e-9;
      g.append(svg("circle", {
        class: "hit", cx: x(base[i]), cy: y(values[i]), r: Math.min(8, 3.2 + Math.sqrt(t.golds) / 2), "fill-opacity": 0.55, "data-topic": t.id,
        fill: better ? "var(--up)" : worse ? "var(--down)" : "var(--s0)", tabindex: 0, ...page.hover(told),
        onclick: () => page.explore(t.id, s), onkeydown: (e) => { if (e.key === "Enter") page.explore(t.id, s); },
      }));
    });
    return g;
  }, page.legend(["better", "worse", "the same"], ["var(--up)", "var(--down)", "var(--s0)"]));
  const system = compare.systems[s];
  const list = (title, changes) => el("div", { class: "changes" }, el("h3", {}, title), changes && changes.length ? el("ol", {}, ...changes.map((c) => el("li", {},
    el("button", { type: "button", onclick: () => page.explore(c.topic, s) }, `${c.topic} ${c.title || ""}`), el("br"),
    el("small", {}, `${page.fixed(c.baseline)} → ${page.fixed(c.system)}; golds at ${c.golds.map((g) => `${g.baseline_rank || "–"}→${g.system_rank || "–"}`).join(", ")}`)))) : el("p", {}, "none"));
  page.byId("changes").replaceChildren(list(`Biggest gains of ${name} by ${compare.by}`, system.gains), list(`Biggest losses of ${name} by ${compare.by}`, system.losses));
}

page.options("point-system", others.map((s) => page.systems[s]), 0, (i) => { chosen.system = i; show(); });
page.options("point-measure", points.measures, chosen.measure, (i) => { chosen.measure = i; show(); });
show();
