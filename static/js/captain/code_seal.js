// BLAKE2s (RFC 7693) with a key, for the seal of a code: over plain http there is no crypto.subtle.

const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
// In which order each of the ten rounds takes the words of a block.
const ORDERS = (
  "0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 905724afe1bc683d " +
  "2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0"
).split(" ").map((order) => [...order].map((digit) => parseInt(digit, 16)));
// Columns, then diagonals.
const MIXED = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"].map((four) => [...four].map((digit) => parseInt(digit, 16)));
const BLOCK = 64;

/** @type {(word: number, by: number) => number} */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * The first `size` bytes of the hash of `message` (bytes) keyed with `key` (at most 32 bytes).
 * @param {number[]} message
 * @param {number[]} key
 * @param {number} size
 */
export function seal(message, key, size) {
  const data = new Uint8Array(BLOCK + Math.ceil(message.length / BLOCK) * BLOCK);
  data.set(key);
  data.set(message, BLOCK);
  const words = new DataView(data.buffer);
  const state = Int32Array.from(START);
  state[0] ^= 0x01010000 ^ (key.length << 8) ^ size;
  for (let at = 0; at < data.length; at += BLOCK) {
    const last = at + BLOCK === data.length;
    const work = Int32Array.from([...state, ...START]);
    work[12] ^= last ? BLOCK + message.length : at + BLOCK;
    if (last) work[14] = ~work[14];
    for (const order of ORDERS) {
      MIXED.forEach(([a, b, c, d], place) => {
        for (const [side, first, second] of [[0, 16, 12], [1, 8, 7]]) {
          work[a] += work[b] + words.getInt32(at + 4 * order[2 * place + side], true);
          work[d] = turned(work[d] ^ work[a], first);
          work[c] += work[d];
          work[b] = turned(work[b] ^ work[c], second);
        }
      });
    }
    state.forEach((word, place) => {
      state[place] = word ^ work[place] ^ work[place + 8];
    });
  }
  return new Uint8Array(state.buffer, 0, size);
}
