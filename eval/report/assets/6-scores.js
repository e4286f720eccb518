// Histograms of the scores of golds and of other candidates, each label's bars adding up to 1.
const { el, svg, data } = page;
for (const h of data.histograms) {
  const figure = el("figure", { class: "chart" });
  page.byId("histograms").append(figure);
  const share = (counts) => { const n = counts.reduce((a, b) => a + b, 0) || 1; return counts.map((c) => c / n); };
  const labels = [["other candidates", share(h.other), "var(--s0)", h.other], ["golds", share(h.gold), "var(--s2)", h.gold]];
  const high = Math.max(...labels.flatMap((l) => l[1])), n = h.gold.length;
  page.draw(figure, h.run, (width) => {
    const height = 170, m = { ...page.margin, left: 34 };
    const x = page.linear(h.low, h.high, m.left, width - m.right), y = page.linear(0, high, height - 24, 8);
    const g = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `scores of ${h.run}` });
    for (const t of page.ticks(0, high, 3)) g.append(svg("line", { class: "grid", x1: m.left, x2: width - m.right, y1: y(t), y2: y(t) }), svg("text", { x: m.left - 5, y: y(t) + 4, "text-anchor": "end" }, `${page.label(100 * t)}%`));
    for (const t of page.ticks(h.low, h.high, 5)) g.append(svg("text", { x: x(t), y: height - 6, "text-anchor": "middle" }, page.label(t)));
    const step = (width - m.left - m.right) / n;
    for (const [name, shares, color, counts] of labels) {
      shares.forEach((v, i) => {
        if (!v) return;
        const from = h.low + i * (h.high - h.low) / n;
        g.append(svg("rect", { class: "hit", x: m.left + i * step, y: y(v), width: Math.max(1, step - 0.8), height: y(0) - y(v), fill: color, "fill-opacity": 0.6, ...page.hover(`${name} from ${page.label(from)}\n${counts[i]} (${page.label(100 * v)} %)`) }));
      });
    }
    return g;
  }, page.legend(labels.map((l) => l[0]), labels.map((l) => l[2])));
}
