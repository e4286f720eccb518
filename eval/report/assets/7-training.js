// Loss curves.
const { trainings } = page.data;
const figure = page.byId("loss-train");
if (figure) {
  const series = (points) => trainings.map((t, i) => ({ name: t.name, color: page.color(i + 1), dash: page.dash(i + 1), points: t[points].map((p) => [p.step, p.loss]) })).filter((s) => s.points.length);
  page.lines(figure, "Training loss", series("train"), { xLabel: "step", low: 0 });
  page.lines(page.byId("loss-valid"), "Validation loss", series("valid"), { xLabel: "step", low: 0 });
}
