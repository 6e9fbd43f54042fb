/** The page of one's account: name, sessions, tokens and, for owners, people, invitations and players without names. */

import { ask, attempt, every } from "./api.js";
import { byId, find, h, replace, settled } from "./dom.js";
import { day } from "./matches.js";
import { forgetAllSeen } from "./outbox.js";
import { qrCode } from "./qr.js";
import { page, t } from "./texts.js";

const DAY = 24 * 60 * 60 * 1000;
/** What the accounts are called that one knows. */
const names = new Map();
let me = null;

async function all(path) {
  const items = [];
  for await (const item of every(path)) items.push(item);
  return items;
}

/** Do something, and say above all else if it did not work. */
async function guarded(act) {
  replace(byId("problem"));
  return attempt(act, ({ detail, title }) => {
    replace(byId("problem"), detail ?? title);
    byId("problem").scrollIntoView({ block: "center" });
  });
}

function onSubmit(id, act) {
  const form = document.getElementById(id);
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = find(form, "button:not([type])");
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    guarded(() => act(form)).finally(() => button.removeAttribute("aria-disabled"));
  });
}

function act(label, does, extra = {}) {
  return h("button", { type: "button", onclick: () => guarded(does), ...extra }, label);
}

/** A button that does something for good only when it is pressed a second time. */
function twice(label, sure, does) {
  const button = h("button", { type: "button", class: "danger" }, label);
  button.addEventListener("blur", () => {
    replace(button, label);
    delete button.dataset.armed;
  });
  button.addEventListener("click", () => {
    if (button.dataset.armed) return void guarded(does);
    button.dataset.armed = "yes";
    replace(button, sure);
  });
  return button;
}

// Me and my devices

async function drawMe() {
  me = (await ask("/me")).data.account;
  find(byId("rename"), "[name=name]", HTMLInputElement).value = me.name;
  replace(byId("role"), t(`account.is_${me.role}`));
}

async function showLink(host, link, says) {
  replace(
    host,
    h("p", {}, says),
    h("a", { class: "secret", href: link.url }, link.url),
    copyButton(link.url),
    await qrCode(link.url, t("account.code")),
  );
}

function copyButton(text) {
  if (!navigator.clipboard) return null;
  const button = act(t("account.copy"), async () => {
    await navigator.clipboard.writeText(text);
    replace(button, t("account.copied"));
  });
  return button;
}

async function signInLink(accountId, host, says) {
  const { data } = await ask(`/accounts/${accountId}/sign-in-links`, { method: "POST" });
  await showLink(host, data, says);
  if (accountId === me.id) await drawWaitingLinks();
}

// Sessions

async function drawSessions() {
  const sessions = await all("/sessions");
  replace(
    byId("session-list"),
    sessions.map((session) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "about" },
          h("strong", {}, session.label ?? t("account.some_browser")),
          h(
            "span",
            { class: "quiet" },
            [
              session.current && t("account.this_browser"),
              t("account.since", { date: day(session.created_at) }),
              session.used_at && t("account.last_used", { date: day(session.used_at) }),
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
        !session.current &&
          twice(t("account.end"), t("account.sure"), async () => {
            await ask(`/sessions/${session.id}`, { method: "DELETE" });
            await drawSessions();
          }),
      ),
    ),
  );
  byId("end-others").hidden = sessions.length < 2;
}

/** Links to sign in to this account that nobody has opened yet, whoever made them. */
async function drawWaitingLinks() {
  const links = await all(`/accounts/${me.id}/sign-in-links`);
  byId("waiting-links").hidden = links.length === 0;
  replace(
    byId("link-list"),
    links.map((link) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "about" },
          h("strong", {}, madeBy(link)),
          h("span", { class: "quiet" }, t("account.since", { date: day(link.created_at) })),
        ),
        act(t("account.withdraw"), async () => {
          await ask(`/accounts/${me.id}/sign-in-links/${link.id}`, { method: "DELETE" });
          await drawWaitingLinks();
        }),
      ),
    ),
  );
}

/** Who made a link, as far as one knows their name. */
function madeBy({ created_by: id }) {
  const name = id === me.id ? me.name : names.get(id);
  return name ? t("account.made_by", { name }) : t("account.made_by_owner");
}

async function leave() {
  await forgetAllSeen();
  location.assign("/");
}

// Tokens

async function drawTokens() {
  const tokens = await all("/tokens");
  replace(
    byId("token-list"),
    tokens.map((token) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "about" },
          h("strong", {}, token.label),
          h("span", { class: "quiet" }, token.scopes.map((scope) => t(`account.scope_${scope}`)).join(", ")),
          h(
            "span",
            { class: "quiet" },
            [
              token.used_at ? t("account.used", { date: day(token.used_at) }) : t("account.unused"),
              token.expires_at && t("account.expires", { date: day(token.expires_at) }),
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
        twice(t("account.revoke"), t("account.sure"), async () => {
          await ask(`/tokens/${token.id}`, { method: "DELETE" });
          await drawTokens();
        }),
      ),
    ),
  );
}

async function makeToken(form) {
  const { label, days } = form.elements;
  const scopes = ["read", ...[...form.querySelectorAll("[name=scope]:checked")].map((box) => box.value)];
  const expires = days.value && new Date(Date.now() + Number(days.value) * DAY).toISOString();
  const { data } = await ask("/tokens", {
    method: "POST",
    body: { label: label.value, scopes, ...(expires && { expires_at: expires }) },
  });
  replace(
    byId("token-secret"),
    h("p", {}, t("account.secret_once")),
    h("code", { class: "secret" }, data.secret),
    copyButton(data.secret),
  );
  form.reset();
  form.parentElement.open = false;
  await drawTokens();
}

// People

async function drawPeople() {
  const accounts = await all("/accounts");
  for (const { id, name } of accounts) names.set(id, name);
  replace(byId("account-list"), accounts.map(accountLine));
}

function accountLine(account) {
  const role = h(
    "select",
    {
      "aria-label": t("account.role_of", { name: account.name }),
      onchange: () =>
        guarded(async () => {
          try {
            await ask(`/accounts/${account.id}`, { method: "PATCH", body: { role: role.value } });
          } finally {
            await drawPeople();
          }
        }),
    },
    page.roles.map((each) => h("option", { value: each, selected: each === account.role }, t(`account.role_${each}`))),
  );
  const player = h(
    "select",
    {
      "aria-label": t("account.player_of", { name: account.name }),
      onchange: () =>
        guarded(async () => {
          try {
            await ask(`/accounts/${account.id}`, { method: "PATCH", body: { player_id: player.value || null } });
          } finally {
            await drawPeople();
          }
        }),
    },
    h("option", { value: "" }, t("account.no_player_yet")),
    playerOptions(account.player_id),
  );
  return h(
    "li",
    {},
    h(
      "span",
      { class: "about" },
      h("strong", {}, account.name),
      h("span", { class: "quiet" }, t("account.since", { date: day(account.created_at) })),
    ),
    role,
    player,
    account.id !== me.id &&
      twice(t("account.end_sessions"), t("account.sure"), () =>
        ask(`/accounts/${account.id}/sessions`, { method: "DELETE" }),
      ),
    act(t("account.sign_in_link"), () =>
      signInLink(account.id, byId("person-link"), t("account.link_for", { name: account.name })),
    ),
    account.id !== me.id &&
      twice(t("account.close"), t("account.sure"), async () => {
        await ask(`/accounts/${account.id}`, { method: "DELETE" });
        await drawPeople();
      }),
  );
}

async function drawInvitations() {
  const invitations = await all("/invitations");
  replace(
    byId("invitation-list"),
    invitations.map((invitation) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "about" },
          h("strong", {}, invitation.name),
          h(
            "span",
            { class: "quiet" },
            [
              t(`account.role_${invitation.role}`),
              madeBy(invitation),
              t("account.expires", { date: day(invitation.expires_at) }),
            ].join(" · "),
          ),
        ),
        act(t("account.withdraw"), async () => {
          await ask(`/invitations/${invitation.id}`, { method: "DELETE" });
          await drawInvitations();
        }),
      ),
    ),
  );
}

async function invite(form) {
  const { name, role, player_id: player } = form.elements;
  const body = { name: name.value, role: role.value, ...(player.value && { player_id: player.value }) };
  const { data } = await ask("/invitations", { method: "POST", body });
  await showLink(byId("invitation-link"), data, t("account.invitation_for", { name: data.name }));
  form.reset();
  form.parentElement.open = false;
  await drawInvitations();
}

// Players

const players = [];

async function offerPlayers() {
  for await (const player of every("/players?limit=200")) players.push(player);
  for (const select of document.querySelectorAll("select.players")) select.append(...playerOptions());
}

/** All players to choose from; where several bear one name the day tells them apart. */
function playerOptions(chosen = null) {
  return players.map((player) =>
    h(
      "option",
      { value: player.id, selected: player.id === chosen },
      players.some((other) => other !== player && other.name === player.name)
        ? `${player.name} (${day(player.created_at)})`
        : player.name,
    ),
  );
}

function askToAnonymise(form) {
  const select = form.elements.player;
  const [id, name] = [select.value, select.selectedOptions[0].text];
  replace(
    byId("anonymise-sure"),
    h("p", {}, t("account.anonymise_sure", { name })),
    h(
      "div",
      { class: "acts" },
      act(
        t("account.anonymise_yes"),
        async () => {
          const { data } = await ask(`/players/${id}/anonymise`, { method: "POST" });
          for (const option of document.querySelectorAll(`select.players option[value="${id}"]`)) option.remove();
          replace(byId("anonymise-sure"), h("p", {}, t("account.anonymised", { name: data.name })));
        },
        { class: "danger" },
      ),
      act(t("account.no"), () => replace(byId("anonymise-sure"))),
    ),
  );
  find(byId("anonymise-sure"), "button").focus();
}

/** The id of one's own account, also for who is quicker than the page. */
async function myId() {
  return (me ?? (await ask("/me")).data.account).id;
}

onSubmit("paste", (form) => {
  const secret = form.elements.link.value.trim().split("/sign-in/").pop().replace(/\/+$/, "");
  if (secret) location.assign(`/sign-in/${encodeURIComponent(secret)}`);
});
onSubmit("rename", async (form) => {
  await ask(`/accounts/${await myId()}`, { method: "PATCH", body: { name: form.elements.name.value } });
  await drawMe();
  if (page.is_owner) await drawPeople();
});
onSubmit("new-token", makeToken);
onSubmit("new-invitation", invite);
onSubmit("anonymise", askToAnonymise);
document
  .getElementById("device")
  ?.addEventListener("click", () =>
    guarded(async () => signInLink(await myId(), byId("device-link"), t("account.device_link"))),
  );
document.getElementById("sign-out")?.addEventListener("click", () =>
  guarded(async () => {
    try {
      await ask("/sign-out", { method: "POST" });
    } finally {
      await forgetAllSeen(); // even if the session had ended before, or the network is away
    }
    location.assign("/");
  }),
);
document.getElementById("end-others")?.addEventListener("click", () =>
  guarded(async () => {
    await ask("/sessions?others=1", { method: "DELETE" });
    await drawSessions();
  }),
);
document.getElementById("end-all")?.addEventListener("click", () =>
  guarded(async () => {
    await ask("/sessions", { method: "DELETE" });
    await leave();
  }),
);
await guarded(async () => {
  if (document.getElementById("me")) await Promise.all([drawMe(), drawSessions(), drawTokens()]);
  if (page.is_owner) await offerPlayers();
  if (document.getElementById("people")) await drawPeople();
  if (document.getElementById("people")) await drawInvitations();
  if (document.getElementById("me")) await drawWaitingLinks();
});
settled();
