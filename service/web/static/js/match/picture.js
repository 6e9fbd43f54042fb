/** A picture of a finished match to send: its board with the names and points above it, made on the device. */

import { address } from "../api.js";
import { minus } from "../minus.js";

const WIDTH = 1200;
const HEAD = 170;
const TYPE = "image/png";

/**
 * Hand the picture to the share sheet of the device, else save it as a file.
 * @param {any} store @param {any} result @param {import("./page.js").MatchPage} page
 */
export async function sharePicture(store, result, page) {
  const blob = await draw(store, result, page);
  const file = new File([blob], "carnet.png", { type: TYPE });
  const url = new URL(`/matches/${store.id}`, location.origin).href;
  const title = store.document.players.map(({ name }) => name).join(" – ");
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], title, text: url }).catch((refused) => {
      if (refused.name !== "AbortError") throw refused;
    });
    return;
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

async function draw(store, result, page) {
  const source = address(`/matches/${store.id}/replay/${store.ply}/board.svg?version=${store.version}`);
  const { board, ratio } = await picture(source);
  const height = Math.round(WIDTH * ratio);
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEAD + height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#16213a";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(board, 0, HEAD, WIDTH, height);
  write(context, result, page);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), TYPE),
  );
}

/** Names and points in a row, the winner first and in the colour of lamps. */
function write(context, { ranking }, page) {
  const column = WIDTH / ranking.length;
  context.textAlign = "center";
  ranking.forEach(({ seat, place, points }, at) => {
    const middle = column * (at + 0.5);
    context.fillStyle = place === 1 ? "#f5c451" : "#faf6ee";
    context.font = "600 40px system-ui, sans-serif";
    context.fillText(page.nameOf(seat), middle, 62, column - 24);
    context.font = "700 72px system-ui, sans-serif";
    context.fillText(minus(points), middle, 138, column - 24);
  });
  context.textAlign = "left";
  context.fillStyle = "#b3bac8";
  context.font = "24px system-ui, sans-serif";
  context.fillText("Carnet", 16, 34);
}

/** The image of a board, and how high it is for its width: an SVG need not say that as an image. */
async function picture(source) {
  const response = await fetch(source);
  const viewBox = / viewBox="([^"]+)"/.exec(await response.text())?.[1];
  if (!response.ok || viewBox === undefined) throw new Error(`no picture: ${response.status}`);
  const [, , width, height] = viewBox.split(" ").map(Number);
  const board = new Image(WIDTH, Math.round((WIDTH * height) / width));
  board.src = source;
  await board.decode();
  return { board, ratio: height / width };
}
