/**
 * The one script of the desk. It is loaded by the page of a dropped file while that is analysed, and by no other. It writes texts into elements
 * that the page has already, and makes none of a text: what comes from a mail is never read as markup. When the run has ended, or the stream is
 * refused, it loads the page again, which is whole without it. htmx and its like put strings into `innerHTML`, which our policy forbids.
 */
export const SCRIPT_PATH = '/live.js';

const AGAIN_MS = 3_000;

export const LIVE_SCRIPT = `'use strict';
const list = document.querySelector('ol[data-events]');
const source = new EventSource(list.dataset.events);
const lost = document.querySelector('[data-lost]');
const text = (element, value) => { if (element.textContent !== value) element.textContent = value; };
source.onopen = () => { lost.hidden = true; };
source.onerror = () => {
  lost.hidden = false;
  if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), ${AGAIN_MS});
};
source.onmessage = ({ data }) => {
  const view = JSON.parse(data);
  if (view.isEnded) {
    source.close();
    location.reload();
    return;
  }
  for (const row of view.rows) {
    const item = list.querySelector('[data-stage="' + row.stage + '"]');
    item.className = row.state;
    text(item.querySelector('[data-state]'), row.stateText);
    text(item.querySelector('[data-took]'), row.took);
    const found = item.querySelector('ul');
    if (found.children.length === row.found.length) continue;
    found.replaceChildren(...row.found.map((line) => {
      const made = document.createElement('li');
      made.textContent = line;
      return made;
    }));
  }
};
`;
