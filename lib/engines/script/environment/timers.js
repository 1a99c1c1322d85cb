/** Timers. Each runs when the clock has reached its time. All of them together have a limit. */
import { layer, Num, push, rec, Str } from './bridge.js';
import { clockMs, moveClockTo } from './clock.js';
import { realEval, scriptGlobal } from './script-global.js';

/** @typedef {{ id: number, what: any, at: number, delay: number, args: any[], left: number, ticks: number }} Timer */
/** @type {Timer[]} */
export const timers = [];
let timerId = 0;
// A script may count or wait for long before it acts. So an interval ticks often, and after a few ticks the clock moves faster. All
// further ticks of a run together have a limit. That limit is not a finding, because most intervals of pages never end.
const INTERVAL_TICKS = 400,
  FEW_TICKS = 5,
  MAX_STEP_MS = 3600000;
let furtherTicks = 1000;
// How often a function was called by timeouts. One that sets itself again and again is an interval.
const calls = new WeakMap();
const stepOf = (ticks, delay) => {
  const step = delay > 0 ? delay : 1;
  return ticks < FEW_TICKS ? step : Math.max(step, Math.min(step * 2 ** (ticks - FEW_TICKS), MAX_STEP_MS));
};
// Queues work of the page itself, such as the call of an observer, for which the script does not wait.
export const soon = (what) => {
  push(timers, { id: 0, what, at: clockMs + 1, delay: 1, args: [], left: 1, ticks: 0 });
};
export const addTimer = (what, ms, args, again) => {
  timerId++;
  const delay = Num(ms) > 0 ? Num(ms) : 0,
    ticks = typeof what === 'function' && !again ? calls.get(what) || 0 : 0;
  rec('timer', again ? 'interval' : 'timeout', delay);
  const at = clockMs + (ticks < FEW_TICKS ? delay : stepOf(ticks, delay));
  push(timers, { id: timerId, what, at, delay, args, left: again ? INTERVAL_TICKS : 1, ticks: 0 });
  return timerId;
};
export const dropTimer = (id) => {
  for (const timer of timers) {
    // biome-ignore lint/suspicious/noDoubleEquals: a script may give the id as a text
    if (timer.id == id) timer.left = 0;
  }
};
// Timers that make timers must not keep the others from their turn for ever. So every few callbacks, the oldest one has its turn.
const OLDEST_EVERY = 4,
  IN_ORDER = 100;
let callbacks = 0;
const nextTimer = () => {
  callbacks++;
  const isOldest = callbacks > IN_ORDER && callbacks % OLDEST_EVERY === 0;
  /** @type {Timer | null} */
  let next = null;
  let kept = 0;
  for (const timer of timers) {
    if (timer.left <= 0) continue;
    timers[kept++] = timer;
    if (next === null || (isOldest ? timer.ticks < next.ticks : timer.at < next.at)) next = timer;
  }
  timers.length = kept;
  return next;
};
/** @type {Timer | null} */
let lastTimer = null;
const SLOW_TICKS = 2;
// Ends an interval whose ticks take long after a few of them. Its further ticks would do the same, and take the time of the others.
export const endInterval = () => {
  if (lastTimer !== null && lastTimer.ticks >= SLOW_TICKS) lastTimer.left = 0;
};
export const runTimer = () => {
  const next = nextTimer();
  lastTimer = next;
  if (next === null) return false;
  moveClockTo(next.at);
  next.left--;
  next.ticks++;
  next.at = clockMs + stepOf(next.ticks, next.delay);
  if (next.ticks > FEW_TICKS && --furtherTicks <= 0) next.left = 0;
  if (typeof next.what === 'function') {
    calls.set(next.what, (calls.get(next.what) || 0) + 1);
    Reflect.apply(next.what, scriptGlobal, next.args);
  } else realEval(layer(Str(next.what), 'setTimeout'));
  return true;
};
