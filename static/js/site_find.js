// Searches a published site in the index that lies beside this page. A browser lets a page that lies in a folder fetch nothing
// and import nothing: the index is a script, and so is this, and no module.
(() => {
  /** @typedef {[name: string, said: string, file: string]} Line */

  const MOST = 60;
  const input = /** @type {HTMLInputElement} */ (document.getElementById("sought"));
  const hits = /** @type {HTMLElement} */ (document.getElementById("site-hits"));
  const said = /** @type {HTMLElement} */ (document.getElementById("site-found"));
  /** @type {{ line: Line, sought: string }[]} */
  let lines = [];

  /**
   * Letters as everybody types them: small, without accents; Åge is Aage and age, Børge is Boerge and borge.
   * @param {string} text
   */
  function folded(text) {
    const small = text.toLowerCase().replace(/ø/g, "o").replace(/æ/g, "a");
    return small.normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/aa|ae/g, "a").replace(/oe/g, "o");
  }

  /** @param {Line} line */
  function hit([name, about, file]) {
    const link = document.createElement("a");
    link.href = `../${file}`;
    const strong = document.createElement("strong");
    strong.textContent = name;
    link.append(strong);
    if (about) {
      const more = document.createElement("span");
      more.textContent = about;
      link.append(" ", more);
    }
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  function search() {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    const found = words.length ? lines.filter(({ sought }) => words.every((word) => sought.includes(word))) : [];
    hits.replaceChildren(...found.slice(0, MOST).map(({ line }) => hit(line)));
    const more = `${said.dataset.more}`.replace("{shown}", String(MOST)).replace("{all}", String(found.length));
    said.textContent = !words.length ? "" : !found.length ? `${said.dataset.none}` : found.length > MOST ? more : "";
  }

  function begin() {
    const index = /** @type {Line[]} */ (/** @type {any} */ (globalThis).spadilleIndex || []);
    lines = index.map((line) => ({ line, sought: folded(`${line[0]} ${line[1]}`) }));
    input.addEventListener("input", search);
    const asked = decodeURIComponent(location.hash.slice(1));
    if (asked) input.value = asked;
    search();
    input.focus({ preventScroll: true });
  }

  const script = document.createElement("script");
  script.src = `${input.dataset.index}`;
  script.addEventListener("load", begin);
  document.head.append(script);
})();
