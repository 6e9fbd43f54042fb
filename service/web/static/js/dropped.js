/** A file that was dropped on one page and is imported on another; it waits in a small database of its own. */

const NAME = "carnet-dropped";
const STORE = "files";

/** Take files that are dropped anywhere on this page to the page of imports. */
export function takeDroppedFiles() {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    try {
      await run("readwrite", (store) => store.put(file, "file"));
    } catch {
      // where nothing can be kept the file is chosen again there
    }
    location.href = "/import";
  });
}

/** The file that was dropped before this page was opened; it is given once. @returns {Promise<File | undefined>} */
export async function droppedFile() {
  try {
    const file = await run("readonly", (store) => store.get("file"));
    if (file !== undefined) await run("readwrite", (store) => store.delete("file"));
    return file;
  } catch {
    return undefined;
  }
}

/** @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act @returns {Promise<T>} */
async function run(mode, act) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
