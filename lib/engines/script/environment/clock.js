/** The clock and the random numbers, which differ for every file. Time passes only here. */
import { floor } from './bridge.js';
import { look, place } from './place.js';

export let clockMs = 0;
export let START = 0;
let looks = 0;
let state = [1, 2, 3, 4];
export const advance = (ms) => {
  clockMs += ms > 0 ? +ms : 0;
};
// A script that reads the clock again and again is waiting for it, so each reading moves the clock further.
export const current = () => {
  look('clock');
  looks++;
  clockMs += looks < 100 ? chance() : looks < 1000 ? 16 : 250;
  return START + floor(clockMs);
};
const word = () => {
  let [t, , , w] = state;
  t ^= t << 11;
  t ^= t >>> 8;
  state = [state[1], state[2], w, (w ^ (w >>> 19) ^ t) >>> 0];
  return state[3];
};
export const chance = () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;

export const setClock = (now, seed) => {
  START = now + place.later;
  state = seed;
};
// Moves the clock to the next timer. Its own readings of the clock do not count as waiting, so that a script which measures
// how long one statement took, to notice a debugger, measures little.
export const moveClockTo = (ms) => {
  if (ms > clockMs) clockMs = ms;
  looks = 0;
};
