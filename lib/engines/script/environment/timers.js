/** Timers. Each runs when the clock has reached its time. All of them together have a limit. */
import { layer, Num, push, rec, Str } from './bridge.js';
import { clockMs, moveClockTo } from './clock.js';
import { realEval, scriptGlobal } from './script-global.js';

/** @type {{ id: number, what: any, at: number, delay: number, args: any[], left: number, ticks: number }[]} */
export const timers = [];
let timerId = 0;
// A script may count or wait for long before it acts. So an interval ticks often, and after a few ticks the clock moves faster. All
// further ticks of a run together have a limit. That limit is not a finding, because most intervals of pages never end.
const INTERVAL_TICKS = 120,
  FEW_TICKS = 5,
  LONGEST_STEP_MS = 3600000;
let furtherTicks = 300;
const stepOf = ({ ticks, delay }) => {
  const step = delay > 0 ? delay : 1;
  return ticks < FEW_TICKS ? step : Math.max(step, Math.min(step * 2 ** (ticks - FEW_TICKS), LONGEST_STEP_MS));
};
// Queues work of the page itself, such as the call of an observer, for which the script does not wait.
export const soon = (what) => {
  push(timers, { id: 0, what, at: clockMs + 1, delay: 1, args: [], left: 1, ticks: 0 });
};
export const addTimer = (what, ms, args, again) => {
  timerId++;
  const delay = Num(ms) > 0 ? Num(ms) : 0;
  rec('timer', again ? 'interval' : 'timeout', delay);
  push(timers, { id: timerId, what, at: clockMs + delay, delay, args, left: again ? INTERVAL_TICKS : 1, ticks: 0 });
  return timerId;
};
export const dropTimer = (id) => {
  for (const timer of timers) {
    // biome-ignore lint/suspicious/noDoubleEquals: a script may give the id as a text
    if (timer.id == id) timer.left = 0;
  }
};
export const runTimer = () => {
  /** @type {(typeof timers)[number] | null} */
  let next = null;
  for (let i = 0; i < timers.length; i++)
    if (timers[i].left > 0 && (next === null || timers[i].at < next.at)) next = timers[i];
  if (next === null) return false;
  moveClockTo(next.at);
  next.left--;
  next.ticks++;
  next.at = clockMs + stepOf(next);
  if (next.ticks > FEW_TICKS && --furtherTicks <= 0) next.left = 0;
  if (typeof next.what === 'function') Reflect.apply(next.what, scriptGlobal, next.args);
  else realEval(layer(Str(next.what), 'setTimeout'));
  return true;
};
