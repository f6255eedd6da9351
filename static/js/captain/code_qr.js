// Draws a QR code (ISO/IEC 18004) of capital letters and digits: alphanumeric mode, level M, up to version 20.
// Our own, since what phones are served is made of what is here and of Python packages: `tests/browser/scripts` compares it with others'.

import { binary } from "./code_text.js";

const CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
// By version from 1: bytes in all, check bytes of a block, and how many blocks (level M).
const BYTES = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346, 404, 466, 532, 581, 655, 733, 815, 901, 991, 1085];
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const QUIET = 4;
/** @type {((x: number, y: number) => number)[]} */
const MASKS = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/**
 * The remainder in a code of checked bits, as in format and version information.
 * @param {number} data
 * @param {number} generator
 * @param {number} width
 */
function checked(data, generator, width) {
  let rest = data << width;
  for (let at = 31; at >= width; at -= 1) if ((rest >>> at) & 1) rest ^= generator << (at - width);
  return (data << width) | rest;
}

/**
 * Where the centres of the small squares are, the same across and down.
 * @param {number} version
 */
function centres(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = 4 * version + 10;
  const step = Math.ceil((last - 6) / (2 * (count - 1))) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - (count - 2 - at) * step)];
}

// Reed-Solomon over GF(256).
const POWERS = [1];
for (let power = 2; POWERS.length < 255; power = (power << 1) ^ (power > 127 ? 0x11d : 0)) POWERS.push(power);
/** @type {(one: number, other: number) => number} */
const times = (one, other) => (one && other ? POWERS[(POWERS.indexOf(one) + POWERS.indexOf(other)) % 255] : 0);

/**
 * @param {number[]} data
 * @param {number} count
 */
function checkBytes(data, count) {
  let generator = [1];
  for (let at = 0; at < count; at += 1) generator = [...generator, 0].map((factor, place) => factor ^ times(generator[place - 1] || 0, POWERS[at]));
  const rest = [...data, ...Array(count).fill(0)];
  data.forEach((_, place) => {
    const lead = rest[place];
    generator.forEach((factor, at) => {
      rest[place + at] ^= times(factor, lead);
    });
  });
  return rest.slice(data.length);
}

/**
 * The text's bits in bytes, for the smallest version that holds them; null if none does.
 * @param {string} text
 */
function encoded(text) {
  const pairs = /** @type {string[]} */ (text.match(/..?/g)).map((pair) => [...pair].map((letter) => CHARACTERS.indexOf(letter)));
  const letters = pairs.map(([one, other]) => (other === undefined ? binary(one, 6) : binary(45 * one + other, 11))).join("");
  const spaces = BYTES.map((bytes, at) => bytes - CHECKS[at] * BLOCKS[at]);
  /** @type {(at: number) => number} */
  const width = (at) => (at < 9 ? 9 : 11);
  const at = spaces.findIndex((bytes, place) => 4 + width(place) + letters.length <= 8 * bytes);
  if (at < 0) return null;
  const bits = `0010${binary(text.length, width(at))}${letters}0000`.slice(0, 8 * spaces[at]);
  const data = /** @type {string[]} */ (bits.match(/.{1,8}/g)).map((byte) => parseInt(byte.padEnd(8, "0"), 2));
  for (let filler = 0xec; data.length < spaces[at]; filler ^= 0xec ^ 0x11) data.push(filler);
  return { version: at + 1, data };
}

/**
 * Data and checks of all blocks, byte by byte in turn.
 * @param {number} version
 * @param {number[]} data
 */
function interleaved(version, data) {
  const count = BLOCKS[version - 1];
  const short = Math.floor(data.length / count);
  const longer = count - (data.length % count);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, place) => data.slice(at, (at += short + (place < longer ? 0 : 1))));
  const checks = blocks.map((block) => checkBytes(block, CHECKS[version - 1]));
  /** @type {(rows: number[][]) => number[]} */
  const inTurn = (rows) => rows[rows.length - 1].flatMap((_, column) => rows.map((row) => row[column])).filter((byte) => byte !== undefined);
  return [...inTurn(blocks), ...inTurn(checks)];
}

/**
 * The squares that every code of a version has; null where data go.
 * @param {number} version
 */
function frame(version) {
  const side = 4 * version + 17;
  const grid = Array.from({ length: side }, () => Array(side).fill(null));
  /** @type {(x: number, y: number, dark: boolean) => void} */
  const put = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < side && y < side) grid[y][x] = dark;
  };
  /** @type {(x: number, y: number, reach: number, dark: (away: number) => boolean) => void} */
  const square = (x, y, reach, dark) => {
    for (let down = -reach; down <= reach; down += 1) {
      for (let over = -reach; over <= reach; over += 1) put(x + over, y + down, dark(Math.max(Math.abs(over), Math.abs(down))));
    }
  };
  for (let at = 0; at < side; at += 1) grid[6][at] = grid[at][6] = at % 2 === 0;
  const places = centres(version);
  const end = places.length - 1;
  places.forEach((x, column) => places.forEach((y, row) => {
    const corner = (column === 0 && (row === 0 || row === end)) || (column === end && row === 0);
    if (!corner) square(x, y, 2, (away) => away !== 1);
  }));
  for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]]) square(x, y, 4, (away) => away !== 2 && away !== 4);
  if (version > 6) {
    const told = checked(version, 0x1f25, 12);
    for (let at = 0; at < 18; at += 1) {
      const [near, far] = [Math.floor(at / 3), side - 11 + (at % 3)];
      grid[far][near] = grid[near][far] = Boolean((told >>> at) & 1);
    }
  }
  putFormat(grid, 0);
  return grid;
}

/**
 * Level and mask, twice, and the one square that is always dark.
 * @param {(boolean | null)[][]} grid
 * @param {number} mask
 */
function putFormat(grid, mask) {
  const side = grid.length;
  const told = checked(mask, 0x537, 10) ^ 0x5412; // level M is 0
  for (let at = 0; at < 15; at += 1) {
    const dark = Boolean((told >>> at) & 1);
    const along = at < 6 ? at : at < 8 ? at + 1 : null;
    if (along !== null) grid[along][8] = dark;
    else grid[8][at === 8 ? 7 : 14 - at] = dark;
    if (at < 8) grid[8][side - 1 - at] = dark;
    else grid[side - 15 + at][8] = dark;
  }
  grid[side - 8][8] = true;
}

/**
 * The data's bits in their places, two columns at a time, up and down from the right.
 * @param {(boolean | null)[][]} grid
 * @param {number[]} bytes
 * @param {number} mask
 */
function filledIn(grid, bytes, mask) {
  const side = grid.length;
  const done = grid.map((row) => [...row]);
  let at = 0;
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < side; step += 1) {
      const y = up ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y][x] !== null) continue;
        const dark = at < 8 * bytes.length && (bytes[at >> 3] >>> (7 - (at & 7))) & 1;
        done[y][x] = Boolean(dark) !== (MASKS[mask](x, y) === 0);
        at += 1;
      }
    }
  }
  putFormat(done, mask);
  return done;
}

/**
 * How hard a code is to read: long runs, and what looks like a corner.
 * @param {(boolean | null)[][]} grid
 */
function penalty(grid) {
  const rows = grid.map((row) => row.map(Number).join(""));
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(""));
  return [...rows, ...columns].reduce((sum, line) => {
    const runs = line.match(/0{5,}|1{5,}/g) || [];
    return sum + runs.join("").length - 2 * runs.length + 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }, 0);
}

/**
 * The squares of a text's code, dark ones true, by rows; null for a text that is too long.
 * @param {string} text
 */
export function qrSquares(text) {
  const read = encoded(text);
  if (read === null) return null;
  const grid = frame(read.version);
  const bytes = interleaved(read.version, read.data);
  const drawn = MASKS.map((_, mask) => filledIn(grid, bytes, mask));
  const penalties = drawn.map(penalty);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}

/**
 * The code as an SVG element that says `label`; null for a text that is too long.
 * @param {string} text
 * @param {string} label
 */
export function qrPicture(text, label) {
  const squares = qrSquares(text);
  if (squares === null) return null;
  const side = squares.length + 2 * QUIET;
  /** @type {(name: string, attributes: { [name: string]: string | number }) => Element} */
  const svg = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, String(value));
    return node;
  };
  const dark = squares.flatMap((row, y) => row.map((on, x) => (on ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  const picture = svg("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, class: "qr", "shape-rendering": "crispEdges" });
  picture.append(svg("rect", { width: side, height: side, fill: "#fff" }), svg("path", { d: dark, fill: "#000" }));
  return picture;
}
