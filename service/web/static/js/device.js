/**
 * Keeps what this device stores to the account that it was stored for; every page begins with this.
 *
 * As soon as a page of one account is shown, what others have read is deleted and their tabs are loaded again; so is a
 * page that the browser had put aside. A match that may no longer be read is forgotten.
 */

import { forgetOthers, forgetSeen } from "./outbox.js";
import { account } from "./texts.js";

const MATCH = /^\/matches\/([0-9a-f-]{36})/;
const refused = "refused" in document.documentElement.dataset ? MATCH.exec(location.pathname)?.[1] : undefined;

if (account !== null) {
  const tabs = new BroadcastChannel("carnet account");
  tabs.addEventListener("message", ({ data }) => data !== account && location.reload());
  tabs.postMessage(account);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
forget().catch(() => {}); // a browser that stores nothing has nothing to forget

async function forget() {
  if (account !== null) await forgetOthers();
  if (refused !== undefined) await forgetSeen(refused);
}
