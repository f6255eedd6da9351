// Talking to the server: every request ends, with an answer or with status 0.

const PATIENCE = 15000;

export async function get(path, options = {}) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    const response = await fetch(path, { signal: control.signal, cache: "no-store", ...options });
    const isJson = (response.headers.get("content-type") || "").startsWith("application/json");
    return { status: response.status, data: isJson ? await response.json() : {} };
  } catch {
    return { status: 0, data: {} };
  } finally {
    clearTimeout(timer);
  }
}

export const post = (path, body) =>
  get(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
