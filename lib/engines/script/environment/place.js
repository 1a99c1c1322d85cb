/** Where the scripts run, and what of it they looked at. */
import { rec } from './bridge.js';

export let place = { later: 0, isPhone: false, language: 'en-US', timeZone: 'Europe/Berlin', offset: 0 };
export const setPlace = (given) => {
  if (given) place = given;
};
const looked = new Set();
// Notes that a script looked at something that differs between places, once.
export const look = (at) => {
  if (looked.has(at)) return;
  looked.add(at);
  rec('looked', at);
};
