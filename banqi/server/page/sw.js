// Keeps the page's files, so that it opens without a connection. Nothing else is kept: no game, and no answer to a
// question.
//
// The server sends this text at /sw.js, with a line before it that sets `self.page`: `version`, and `files`, the tag of
// each path. So the text changes whenever a file does, and browsers then install it anew. A page has all its files from
// one version: either those kept here, or, when the server has others already, the server's.

const { version, files } = self.page;
const NAME = `page ${version}`;
const PATIENCE = 3000;

// The pages that were opened when the server had other files.
const ahead = new Set();

self.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || !Object.hasOwn(files, pathname)) {
    return;
  }
  if (event.request.mode === "navigate") {
    event.respondWith(opened(event.resultingClientId, pathname));
  } else if (!ahead.has(event.clientId)) {
    event.respondWith(kept(pathname));
  }
});

/** Keep every file; one that is not of this version fails the installation, and the browser tries again later. */
async function keepAll() {
  const cache = await caches.open(NAME);
  await Promise.all(
    Object.entries(files).map(async ([path, tag]) => {
      const answer = await fetch(path, { cache: "no-cache" });
      // A proxy may have weakened the tag.
      if (!answer.ok || answer.headers.get("etag")?.replace(/^W\//, "") !== tag) {
        throw new Error(`${path} is not what it should be`);
      }
      await cache.put(path, answer);
    }),
  );
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith("page ") && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The page from the server; the one that is kept, if no server answers in time. */
async function opened(client, path) {
  try {
    const answer = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) {
      if (answer.headers.get("x-page-version") !== version) {
        ahead.add(client);
      }
      return answer;
    }
  } catch {
    // There is no connection, or a bad one.
  }
  return kept(path);
}

async function kept(path) {
  // Opening the cache would make it anew after a later version has deleted it.
  return (await caches.match(path, { cacheName: NAME })) ?? fetch(path);
}
