// The page's words, in the reader's language, as the server wrote them.

const words = JSON.parse(document.getElementById("words").textContent);
const ROOM = 20; // letters of a name
const language = document.documentElement.lang;

export const knows = (name) => name in words;

/** The text `name` with its {places} filled. */
export const say = (name, places = {}) =>
  words[name].replace(/\{(\w+)\}/g, (whole, place) => (place in places ? places[place] : whole));

/** An amount of tokens with its sign: +6, −2, 0. */
export const signed = (tokens) => (tokens > 0 ? `+${tokens}` : tokens < 0 ? `−${-tokens}` : "0");

/** The time of day of an ISO moment. */
export const clock = (moment) =>
  new Date(moment).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false });

/** Names as a phone has room for; alike ones keep more. */
export function callNames(names) {
  const short = names.map((name) => {
    const [first, ...rest] = name.split(/\s+/);
    if (name.length <= ROOM || rest.length === 0) return name.slice(0, ROOM);
    return `${first.slice(0, ROOM - 3)} ${[...rest.pop()][0]}.`;
  });
  return short.map((name, place) => (short.indexOf(name) === short.lastIndexOf(name) ? name : names[place].slice(0, 2 * ROOM)));
}

/** First names as column heads, with a letter more where two are alike. */
export function shortNames(names) {
  const parts = names.map((name) => name.split(/\s+/));
  return parts.map(([first, second = ""]) =>
    parts.filter(([other]) => other === first).length > 1 ? `${first} ${second.slice(0, 1)}` : first,
  );
}
