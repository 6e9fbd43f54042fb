/** The page of one player: how often he wins and against whom, how he is rated, what goes with it, and his name. */

import { ask } from "./api.js";
import { h, replace } from "./dom.js";
import { differencesOf } from "./features.js";
import { counted, csvButton, dataTable, figure, figures, formOf, guarded, nothing, pageAt, ratedAt, showPage, statistics } from "./figures.js";
import { offerPlayers } from "./filters.js";
import { day } from "./matches.js";
import { amount, areFew, between, number, percent, percents, signed, surely } from "./numbers.js";
import { distribution, legend, lineWithBand, rateBar, rateBars, scale } from "./plots.js";
import { seatName, seatSign } from "./seats.js";
import { page, t, tn } from "./texts.js";
import { minus } from "./told.js";

const { id, name } = page.player;
const players = [id];
const SPLITS = { game: "by_game", seat: "by_seat", mover: "by_mover", players: "by_players" };

async function draw() {
  const source = statistics(`/players/${id}`, { players });
  const document = await figures(source);
  if (document.matches === 0) return [nothing(document)];
  const rated = await figures(statistics(`/players/${id}/ratings`, { players }));
  return [
    drawLead(document, source),
    drawRating(rated),
    h("div", { class: "pair" }, Object.keys(SPLITS).filter((part) => page.game === null || part !== "game").map((part) => drawSplit(document, part, source))),
    document.points && drawPoints(document, source),
    drawOpponents(document, source),
    await drawFeatures(document, source),
    drawLatest(document),
    counted(document),
  ].filter(Boolean);
}

function drawLead(document, source) {
  const { matches, win_rate: rate, wins, expected_wins: expected, wins_above_expectation: above, form, streaks } = document;
  const values = { name, wins: number(wins, 1), rate: percent(rate.rate), interval: percents(rate.interval), above: number(Math.abs(above), 1) };
  const sentence = areFew(matches) ? tn("stats.few_sentence", matches, values) : tn(above < 0 ? "stats.below_sentence" : "stats.above_sentence", matches, values);
  const { current, longest_winning: won, longest_losing: lost } = streaks;
  const now = current?.length > 1 && t("stats.streak", { what: tn(`stats.streak_${current.outcome}`, current.length) });
  const longest = t("stats.streaks", { won: tn("stats.streak_won", won), lost: tn("stats.streak_lost", lost) });
  return h("section", { class: "figure lead" },
    h("p", { class: "sentence" }, sentence),
    h("div", { class: ["plot", areFew(matches) && "few"] }, rateBar(rate, expected / matches),
      scale([0, 0.5, 1].map(percent)),
      legend(t("stats.by_chance", { rate: percent(expected / matches) }))),
    h("p", { class: "streaks" }, h("b", {}, t("stats.form")), " ", formOf(form), " ", [now, longest].filter(Boolean).join(" ")),
    h("div", { class: "data" }, csvButton(source, name)));
}

function drawRating(rated) {
  if (rated.items.length === 0) return null;
  const last = rated.items.at(-1);
  const sentence = tn("stats.rating_sentence", rated.items.length, { name, rating: number(last.rating, 1), interval: between(last.interval) });
  return h("div", { class: "figure" },
    figure({
      title: page.game === null ? t("stats.rating_all") : t("stats.rating"),
      sentence,
      picture: lineWithBand(rated.items.map(({ played_at: at, rating: value, interval }) => ({ at, value, interval })), sentence),
      table: dataTable(["date", "rating", "interval"].map((key) => t(`stats.${key}`)),
        [...rated.items].reverse().map((item) => [day(item.played_at), number(item.rating, 1), between(item.interval)]), t("stats.rating")),
      source: statistics(`/players/${id}/ratings`, { players }), name: `${name} – ${t("stats.rating")}`,
    }),
    ratedAt(rated));
}

function drawSplit(document, part, source) {
  const rows = document[SPLITS[part]];
  const named = { game: (game) => page.games[game] ?? game, seat: seatOf, mover: (mover) => t(`stats.mover_${mover}`), players: (n) => tn("stats.n_players", n) }[part];
  const known = rows.filter(({ matches }) => !areFew(matches));
  const best = known.reduce((one, other) => (one === null || other.win_rate.rate > one.win_rate.rate ? other : one), null);
  const title = t(`stats.by_${part}`);
  return figure({
    title,
    sentence: best === null ? tn("stats.too_few_sentence", page.fewest) : t(`stats.by_${part}_sentence`, { name, what: part === "seat" ? seatName(best.seat) : named(best[part]), rate: percent(best.win_rate.rate), interval: percents(best.win_rate.interval) }),
    picture: rateBars(rows.map((row) => ({ name: named(row[part]), rate: row.win_rate, expected: row.expected_wins / row.matches }))),
    table: dataTable([title, ...["matches", "wins", "expected_wins", "above"].map((key) => t(`stats.${key}`)), ...(page.game === null && part !== "game" ? [] : [t("stats.mean_points")])],
      rows.map((row) => [named(row[part]), number(row.matches), number(row.wins, 1), number(row.expected_wins, 1), signed(row.wins_above_expectation),
        ...(page.game === null && part !== "game" ? [] : [number(row.points.mean, 1)])]), title),
    source, name,
  });
}

function seatOf(seat) {
  return h("span", {}, page.game !== null && seatSign(page.game, seat), " ", seatName(seat));
}

function drawPoints({ points, margin }, source) {
  const sentence = t("stats.player_points", { name, mean: amount("stats.n_points", points.mean), low: number(points.quantiles["0.25"], 1), high: number(points.quantiles["0.75"], 1), margin: signed(margin.mean) });
  return figure({
    title: t("stats.points"), sentence, picture: distribution(points.histogram, sentence, points.mean),
    table: dataTable([t("stats.points"), t("stats.matches")], points.histogram.map(({ value, n }) => [number(value), number(n)]), t("stats.points")), source, name,
  });
}

function drawOpponents({ opponents, nemesis, favourite_opponent: favourite }, source) {
  if (opponents.length === 0) return null;
  const link = ({ player }) => h("a", { href: pageAt(`/players/${id}/against/${player.id}`) }, player.name);
  const rival = (one, key) => h("p", {}, h("span", { class: "quiet" }, t(`stats.${key}`)), h("br"),
    one ? [h("span", { class: "rival" }, link(one)), h("br"), tn("stats.ahead_of", one.matches, { name, ahead: surely(one.ahead) })] : t("stats.nobody"));
  return figure({
    title: t("stats.opponents"),
    sentence: tn("stats.opponents_sentence", opponents[0].matches, { name, other: opponents[0].player.name }),
    picture: [
      h("div", { class: "card rivals" }, rival(nemesis, "nemesis"), rival(favourite, "favourite")),
      rateBars(opponents.map((one) => ({ name: link(one), rate: one.ahead, expected: 0.5 })), t("stats.mark_half", { name })),
    ],
    table: dataTable(["player", "matches", "ahead"].map((key) => t(`stats.${key}`)), opponents.map((one) => [one.player.name, number(one.matches), surely(one.ahead)]), t("stats.opponents")),
    source, name,
  });
}

async function drawFeatures({ features }, source) {
  if (features === null) return h("section", { class: "figure" }, h("h2", {}, t("stats.features")), h("p", {}, t("stats.choose_game")),
    h("p", { class: "leads" }, Object.entries(page.games).map(([game, title]) => h("a", { href: pageAt(`/players/${id}`, { game }) }, title))));
  return differencesOf(page.game, features, { source, name, subject: name });
}

function drawLatest({ latest }) {
  return figure({
    title: t("stats.latest"),
    picture: h("ol", { class: "meetings" }, latest.map((match) => h("li", {}, h("a", { href: `/matches/${match.match_id}` },
      h("span", {}, h("b", {}, page.games[match.game] ?? match.game), " ", seatSign(match.game, match.seat), h("span", { class: "unseen" }, seatName(match.seat))),
      h("span", { class: "quiet" }, `${day(match.played_at)} · ${tn("stats.n_players", match.players)}`),
      h("span", { class: "score" }, h("b", {}, minus(match.points)), " ", h("span", { class: "quiet" }, t(`stats.${match.outcome}`))))))),
  });
}

// The name

function manage() {
  const rename = document.getElementById("rename");
  if (rename) {
    rename.elements.name.value = name;
    onSubmit(rename, async () => {
      await ask(`/players/${id}`, { method: "PATCH", body: { name: rename.elements.name.value } });
      location.reload();
    });
  }
  const merge = document.getElementById("merge");
  if (merge) {
    guarded(() => offerPlayers(merge.elements.into, null, players));
    onSubmit(merge, async () => confirmMerge(merge.elements.into));
  }
}

/** Merging is asked for twice, and can be taken back. */
function confirmMerge({ value: into, selectedOptions: [option] }) {
  const host = document.getElementById("merging");
  const act = (text, deed, kind) => h("button", { type: "button", class: kind, onclick: () => guarded(deed) }, text);
  replace(host, h("p", {}, t("stats.merge_sure", { name, other: option.text })), h("div", { class: "acts" },
    act(t("stats.merge_yes"), async () => {
      const { data } = await ask(`/players/${id}/merge`, { method: "POST", body: { into } });
      replace(host, h("p", {}, t("stats.merged", { name, other: data.name })), h("div", { class: "acts" },
        h("a", { class: "button", href: `/players/${data.id}` }, data.name),
        act(t("stats.unmerge"), async () => {
          await ask(`/players/${id}/merge`, { method: "DELETE" });
          replace(host, h("p", {}, t("stats.unmerged")));
        })));
    }, "danger"),
    act(t("stats.no"), async () => replace(host))));
  host.querySelector("button").focus();
}

function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(act);
  });
}

manage();
await showPage(draw, players);
