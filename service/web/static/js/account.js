/** The page of one's account: name, sessions, tokens and, for owners, people, invitations and players without names. */

import { all, ask } from "./api.js";
import { confirm } from "./confirm.js";
import { copyField } from "./copying.js";
import { byId, find, h, onSubmit, replace, settled } from "./dom.js";
import { playerOptions } from "./filters.js";
import { day } from "./format.js";
import { forgetAllSeen } from "./outbox.js";
import { withErrors } from "./problem_line.js";
import { qrCode } from "./qr.js";
import { page, t } from "./texts.js";

const DAY = 24 * 60 * 60 * 1000;
/** What the accounts are called that one knows. */
const names = new Map();
let me = null;

function whenSubmitted(id, act) {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) onSubmit(form, () => withErrors(() => act(form)));
}

function act(label, does, extra = {}) {
  return h("button", { type: "button", onclick: () => withErrors(does), ...extra }, label);
}

/** A button that does what cannot be undone, and says of what. */
function forGood(label, about, does) {
  const sure = () => confirm({ title: about, text: t("account.sure"), yes: label });
  return h(
    "button",
    { type: "button", class: "danger", onclick: async () => (await sure()) && withErrors(does) },
    label,
  );
}

/** Let a button of the page do what cannot be undone. */
function whenSure(id, does) {
  const button = document.getElementById(id);
  button?.addEventListener("click", async () => {
    if (await confirm({ text: t("account.sure"), yes: button.textContent ?? "" })) withErrors(does);
  });
}

// Me and my devices

async function drawMe() {
  me = (await ask("/me")).data.account;
  find(byId("rename"), "[name=name]", HTMLInputElement).value = me.name;
  replace(byId("role"), t(`account.is_${me.role}`));
}

async function showLink(host, link, says) {
  replace(host, h("p", {}, says), copyField(link.url, says), await qrCode(link.url, t("account.code")));
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
          forGood(t("account.end"), session.label ?? t("account.some_browser"), async () => {
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
        forGood(t("account.withdraw"), madeBy(link), async () => {
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
        forGood(t("account.revoke"), token.label, async () => {
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
  replace(byId("token-secret"), h("p", {}, t("account.secret_once")), copyField(data.secret, t("account.secret_once")));
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
        withErrors(async () => {
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
        withErrors(async () => {
          try {
            await ask(`/accounts/${account.id}`, { method: "PATCH", body: { player_id: player.value || null } });
          } finally {
            await drawPeople();
          }
        }),
    },
    h("option", { value: "" }, t("account.no_player_yet")),
    playerOptions(players, account.player_id),
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
      forGood(t("account.end_sessions"), account.name, () =>
        ask(`/accounts/${account.id}/sessions`, { method: "DELETE" }),
      ),
    act(t("account.sign_in_link"), () =>
      signInLink(account.id, byId("person-link"), t("account.link_for", { name: account.name })),
    ),
    account.id !== me.id &&
      forGood(t("account.close"), account.name, async () => {
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
        forGood(t("account.withdraw"), invitation.name, async () => {
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

let players = [];

async function offerPlayers() {
  players = await all("/players?limit=200");
  for (const select of document.querySelectorAll("select.players")) select.append(...playerOptions(players));
}

async function anonymise(form) {
  const select = form.elements.player;
  const [id, name] = [select.value, select.selectedOptions[0].text];
  const isSure = await confirm({ text: t("account.anonymise_sure", { name }), yes: t("account.anonymise_yes") });
  if (!isSure) return;
  const { data } = await ask(`/players/${id}/anonymise`, { method: "POST" });
  for (const option of document.querySelectorAll(`select.players option[value="${id}"]`)) option.remove();
  replace(byId("anonymised"), h("p", {}, t("account.anonymised", { name: data.name })));
}

/** The id of one's own account, also for who is quicker than the page. */
async function myId() {
  return (me ?? (await ask("/me")).data.account).id;
}

whenSubmitted("paste", (form) => {
  const secret = form.elements.link.value.trim().split("/sign-in/").pop().replace(/\/+$/, "");
  if (secret) location.assign(`/sign-in/${encodeURIComponent(secret)}`);
});
whenSubmitted("rename", async (form) => {
  await ask(`/accounts/${await myId()}`, { method: "PATCH", body: { name: form.elements.name.value } });
  await drawMe();
  if (page.is_owner) await drawPeople();
});
whenSubmitted("new-token", makeToken);
whenSubmitted("new-invitation", invite);
whenSubmitted("anonymise", anonymise);
document
  .getElementById("device")
  ?.addEventListener("click", () =>
    withErrors(async () => signInLink(await myId(), byId("device-link"), t("account.device_link"))),
  );
document.getElementById("sign-out")?.addEventListener("click", () =>
  withErrors(async () => {
    try {
      await ask("/sign-out", { method: "POST" });
    } finally {
      await forgetAllSeen(); // even if the session had ended before, or the network is away
    }
    location.assign("/");
  }),
);
whenSure("end-others", async () => {
  await ask("/sessions?others=1", { method: "DELETE" });
  await drawSessions();
});
whenSure("end-all", async () => {
  await ask("/sessions", { method: "DELETE" });
  await leave();
});
await withErrors(async () => {
  if (document.getElementById("me")) await Promise.all([drawMe(), drawSessions(), drawTokens()]);
  if (page.is_owner) await offerPlayers();
  if (document.getElementById("people")) await drawPeople();
  if (document.getElementById("people")) await drawInvitations();
  if (document.getElementById("me")) await drawWaitingLinks();
});
settled();
