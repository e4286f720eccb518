// Recall and PRES over the cut-off.
const { el, data } = page;
data.curves.measures.forEach((measure, m) => {
  const figure = el("figure", { class: "chart" });
  page.byId("curve-charts").append(figure);
  page.lines(figure, `${measure}@k`, page.systems.map((name, s) => ({
    name, color: page.color(s), dash: page.dash(s), points: data.curves.values[m][s].map((v, i) => [data.curves.k[i], v]),
  })), { xLabel: "k", log: true, low: 0, high: Math.max(0.05, ...data.curves.values[m].flat()) });
});
