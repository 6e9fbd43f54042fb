/** The beginning of a replay that is one file: unpacks what is in it, in the language that its reader has chosen or prefers. */

if (!("DecompressionStream" in globalThis)) {
  const [board, said] = ["board", "too-old"].map((id) => document.getElementById(id));
  board?.append(said?.textContent ?? "");
  throw new Error("This browser is too old.");
}

const packed = Uint8Array.from(atob(document.getElementById("packed")?.textContent ?? ""), (one) => one.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const { lang: given, languages, page } = await new Response(unpacked).json();
const wanted = [new URLSearchParams(location.hash.slice(1)).get("lang"), ...navigator.languages];
/** The language in which the replay is told. @type {string} */
export const lang = wanted.map((name) => name?.split("-")[0] ?? "").find((name) => name in languages) ?? given;

const { sentences, ...language } = languages[lang];
document.documentElement.lang = lang;
/** @type {Element} */ (document.getElementById("page")).textContent = JSON.stringify({
  lang,
  ...language,
  page: { ...page, sentences },
});
