/** The place where the scripts run, and the properties of it that they read. */
import { rec } from './bridge.js';

export let place = { later: 0, isPhone: false, language: 'en-US', timeZone: 'Europe/Berlin', offset: 0 };
export const setPlace = (given) => {
  if (given) place = given;
};
const looked = new Set();
// Notes once that a script read a property that differs between places.
export const look = (at) => {
  if (looked.has(at)) return;
  looked.add(at);
  rec('looked', at);
};
