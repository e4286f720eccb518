// Charts as SVG. A chart is drawn in its own units, as wide as its place, and again when that changes.
const { el, svg } = page;

page.ticks = (low, high, about = 5) => {
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span / about));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => span / s <= about + 1);
  const ticks = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + step * 1e-6; t += step) ticks.push(Math.abs(t) < step * 1e-6 ? 0 : t);
  return ticks;
};
page.label = (v) => String(Number(v.toPrecision(4))).replace("-", "−");

page.linear = (low, high, from, to) => (v) => from + ((v - low) / (high - low || 1)) * (to - from);
page.log = (low, high, from, to) => {
  const scale = page.linear(Math.log(low), Math.log(high), from, to);
  return (v) => scale(Math.log(v));
};

// draw calls build(width) for the content of a figure now, and whenever its width changes.
page.draw = (figure, caption, build, legend) => {
  let width = 0;
  const holder = el("div");
  figure.replaceChildren(el("figcaption", {}, caption), holder, legend || "");
  const redraw = () => {
    const now = Math.max(240, Math.round(holder.clientWidth));
    if (now === width) return;
    width = now;
    holder.replaceChildren(build(width));
  };
  if (figure.observer) figure.observer.disconnect();
  figure.observer = new ResizeObserver(redraw);
  figure.observer.observe(holder);
  redraw();
};

page.legend = (names, colors) => el("div", { class: "legend" }, ...names.map((name, i) => el("span", {}, el("i", { class: "dot", style: `background:${colors[i]}` }), name)));

// frame makes the axes. x and y have scale, ticks and label.
page.frame = (width, height, x, y, name) => {
  const m = page.margin;
  const g = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  for (const t of y.ticks) {
    g.append(svg("line", { class: "grid", x1: m.left, x2: width - m.right, y1: y.scale(t), y2: y.scale(t) }));
    g.append(svg("text", { x: m.left - 6, y: y.scale(t) + 4, "text-anchor": "end" }, page.label(t)));
  }
  for (const t of x.ticks) g.append(svg("text", { x: x.scale(t), y: height - m.bottom + 16, "text-anchor": "middle" }, page.label(t)));
  g.append(svg("line", { class: "axis", x1: m.left, x2: width - m.right, y1: height - m.bottom, y2: height - m.bottom }));
  if (x.label) g.append(svg("text", { x: (m.left + width - m.right) / 2, y: height - 3, "text-anchor": "middle" }, x.label));
  return g;
};
page.margin = { left: 44, right: 12, top: 10, bottom: 36 };

// lines draws series of {name, color, dash, points: [[x, y, text]]}.
page.lines = (figure, caption, series, { xLabel, log, low, high }) => {
  const all = series.flatMap((s) => s.points);
  if (all.length === 0) { figure.replaceChildren(el("figcaption", {}, caption), el("p", {}, "nothing recorded")); return; }
  const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
  const x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = low ?? Math.min(...ys), y1 = high ?? Math.max(...ys);
  page.draw(figure, caption, (width) => {
    const height = Math.round(Math.min(320, Math.max(220, width * 0.6))), m = page.margin;
    const x = (log ? page.log : page.linear)(x0, x1, m.left, width - m.right), y = page.linear(y0, y1, height - m.bottom, m.top);
    const xTicks = log ? [1, 3, 10, 30, 100, 300, 1000].filter((t) => t >= x0 && t <= x1) : page.ticks(x0, x1, Math.max(3, Math.floor(width / 110)));
    const g = page.frame(width, height, { scale: x, ticks: xTicks, label: xLabel }, { scale: y, ticks: page.ticks(y0, y1) }, caption);
    for (const s of series) {
      const path = s.points.map((p, i) => `${i ? "L" : "M"}${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join("");
      g.append(svg("path", { d: path, fill: "none", stroke: s.color, "stroke-width": 2, "stroke-dasharray": s.dash, "stroke-linejoin": "round" }));
    }
    // The hover finds the nearest point of x and tells of all series.
    const rule = svg("line", { class: "zero", y1: m.top, y2: height - m.bottom, visibility: "hidden" });
    const places = [...new Set(xs)].sort((a, b) => a - b);
    g.append(rule, svg("rect", {
      x: m.left, y: m.top, width: width - m.left - m.right, height: height - m.top - m.bottom, fill: "transparent",
      onmousemove: (e) => {
        const at = (e.clientX - g.getBoundingClientRect().left) * (width / g.getBoundingClientRect().width);
        const near = places.reduce((a, b) => (Math.abs(x(b) - at) < Math.abs(x(a) - at) ? b : a));
        rule.setAttribute("x1", x(near)); rule.setAttribute("x2", x(near)); rule.setAttribute("visibility", "visible");
        const told = series.map((s) => [s.name, s.points.find((p) => p[0] === near)]).filter((s) => s[1]).sort((a, b) => b[1][1] - a[1][1]);
        page.tip(e, [`${xLabel} ${near}`, ...told.map((s) => `${s[0]}  ${page.fixed(s[1][1])}`)].join("\n"));
      },
      onmouseleave: () => { page.untip(); rule.setAttribute("visibility", "hidden"); },
    }));
    return g;
  }, page.legend(series.map((s) => s.name), series.map((s) => s.color)));
};
