// The topic explorer: a query, the first candidates of a system, and where all golds are.
const { el, data } = page;
const { explorer, compare } = data;
const choice = page.byId("topic-choice"), filter = page.byId("topic-filter");
const chosen = { topic: 0, system: Math.min(1, explorer.runs.length - 1) };

const place = (rank) => (rank ? String(rank) : "–");
const domain = (d) => el("span", { class: `tag ${d}` }, d);
const text = (id) => {
  const patent = explorer.patents[id];
  return el("td", { class: "text" }, el("b", {}, patent?.title || id), " ", el("small", {}, [id, ...(patent?.ipc || [])].join(" · ")),
    patent?.abstract ? el("details", {}, el("summary", {}, "abstract"), el("div", {}, patent.abstract)) : null);
};
const head = (...names) => el("thead", {}, el("tr", {}, ...names.map((n) => el("th", { scope: "col", class: { patent: "left", score: "score" }[n] }, n))));
const table = (title, ...parts) => el("div", {}, el("h3", {}, title), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, el("table", { class: "ranking" }, ...parts)));

function change(c, rank) {
  if (!c.before) return el("small", {}, "new");
  const d = c.before - rank;
  return el("span", {}, `${c.before} `, el("small", { class: d > 0 ? "up" : d < 0 ? "down" : "" }, d > 0 ? `▲${d}` : d < 0 ? `▼${-d}` : "="));
}

function show() {
  const t = explorer.topics[chosen.topic], s = chosen.system;
  if (!t) { page.byId("topic-view").replaceChildren(el("p", {}, "No topic.")); return; }
  page.byId("topic-view").replaceChildren(
    el("div", { class: "query" }, el("h3", {}, t.title || t.id), el("small", {}, [t.id, ...(t.ipc || [])].join(" · ")), el("p", {}, t.abstract)),
    table(`Golds (${t.golds.length})`, head("grade", "patent", "domain", ...explorer.runs), el("tbody", {}, ...t.golds.map((g) => el("tr", {},
      el("td", {}, String(g.grade)), text(g.patent), el("td", {}, domain(g.domain)), ...g.ranks.map((r) => el("td", {}, place(r))))))),
    table(`First ${t.rankings[s].length} of ${explorer.runs[s]}`, head("rank", `${compare.baseline}`, "score", "patent", "domain"), el("tbody", {}, ...t.rankings[s].map((c, i) => el("tr", { class: c.grade ? "gold" : "" },
      el("td", {}, c.grade ? "★ " : "", String(i + 1)), el("td", {}, change(c, i + 1)), el("td", { class: "score" }, page.label(c.score)), text(c.patent), el("td", {}, domain(c.domain)))))));
}

function list() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  choice.replaceChildren();
  explorer.topics.forEach((t, i) => {
    const name = `${t.id} ${t.title}`;
    if (words.every((w) => name.toLowerCase().includes(w))) choice.append(el("option", { value: i }, name.length > 70 ? `${name.slice(0, 69)}…` : name));
  });
  if (choice.options.length && ![...choice.options].some((o) => Number(o.value) === chosen.topic)) chosen.topic = Number(choice.options[0].value);
  choice.value = chosen.topic;
  show();
}

// explore opens a topic, of which the page may have no rankings.
page.explore = (id, system) => {
  const at = explorer.topics.findIndex((t) => t.id === id);
  page.untip();
  filter.value = "";
  if (at < 0) {
    list();
    page.byId("topic-view").replaceChildren(el("p", {}, `The page has no rankings of topic ${id}: make the report with more --explore-topics.`));
  } else {
    chosen.topic = at;
    chosen.system = system;
    page.byId("topic-system").value = system;
    list();
  }
  page.byId("explorer").scrollIntoView();
};

page.options("topic-system", explorer.runs, chosen.system, (i) => { chosen.system = i; show(); });
choice.addEventListener("change", () => { chosen.topic = Number(choice.value); show(); });
filter.addEventListener("input", list);
list();
