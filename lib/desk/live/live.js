/**
 * Our only script at the desk. The page of a dropped file loads it during the analysis, and no other page does. It writes the rows of the
 * desk into the list of the page, as texts: Preact makes elements by their names and characters by `textContent`. When the run has ended,
 * or the stream is refused, it reloads the page, which is complete without it.
 */
import { h, render } from './preact.js';

/** @typedef {{ stage: string, name: string, state: string, stateText: string, took: string, found: string[] }} Row */
/** @typedef {{ isEnded: boolean, rows: Row[] }} View */

const AGAIN_MS = 3_000;

/**
 * The same as the page has for a stage (drop/page.tsx).
 * @param {Row} row
 */
const item = ({ stage, name, state, stateText, took, found }) =>
  h(
    'li',
    { key: stage, class: state, 'data-stage': stage },
    h('b', null, name),
    ' ',
    h('span', null, stateText),
    ' ',
    h('small', null, took),
    h(
      'ul',
      null,
      found.map((line) => h('li', null, line)),
    ),
  );

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} lost says that the stream is lost
 */
function follow(list, lost) {
  const source = new EventSource(list.dataset.events ?? '');
  source.onopen = () => {
    lost.hidden = true;
  };
  source.onerror = () => {
    lost.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), AGAIN_MS);
  };
  source.onmessage = ({ data }) => {
    /** @type {View} */
    const view = JSON.parse(data);
    if (view.isEnded) {
      source.close();
      location.reload();
    } else render(view.rows.map(item), list);
  };
}

const list = document.querySelector('ol[data-events]');
const lost = document.querySelector('[data-lost]');
if (list instanceof HTMLElement && lost instanceof HTMLElement) follow(list, lost);
