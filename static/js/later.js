// What costs much to count is fetched once its page is there: an element with data-later="address" takes in what that address
// answers. Without a script, or without the server, it keeps the link that stands in it.

/** @param {HTMLElement} element */
async function fill(element) {
  try {
    const answer = await fetch(`${element.dataset.later}`, { headers: { "HX-Request": "true" } });
    if (answer.ok) element.innerHTML = await answer.text();
  } catch {
    // the link is there
  }
}

const fillAll = () => document.querySelectorAll("[data-later]").forEach((element) => fill(/** @type {HTMLElement} */ (element)));

document.addEventListener("htmx:afterSwap", fillAll);
fillAll();
