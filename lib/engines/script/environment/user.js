/** What a user does with a page: it loads, they move, type and click. */
import { OWN, push, slice } from './bridge.js';
import { noteExhausted } from './calls.js';
import { document, elements, everyElement, HANDLED } from './elements.js';
import { called, fire, listeners } from './events.js';
import { writeRest } from './navigation.js';
import { isObject, R } from './realms.js';
import { G } from './script-global.js';

// A link that stands in the page is no redirect when a user follows it: only what its handlers do counts.
const userClick = (e) => {
  const { href } = e[OWN].attributes;
  if (e.tagName === 'A' && href !== undefined && href === e[OWN].given && !/^\s*(javascript|data|blob):/i.test(href))
    fire(e, 'click');
  else if (e.tagName === 'BUTTON' && e[OWN].attributes.type === undefined) fire(e, 'click');
  else e.click();
};
// What a user does with a page: it loads, they move, type and click.
export const pageSteps = () => {
  const steps = [
    () => {
      writeRest();
      document.readyState = 'interactive';
      fire(document, 'DOMContentLoaded');
      fire(document, 'readystatechange');
    },
    () => {
      document.readyState = 'complete';
      fire(document, 'readystatechange');
      fire(G, 'load');
      fire(document.body, 'load');
      fire(G, 'pageshow');
      for (const e of elements.slice(0, 500)) {
        if (typeof e.onload === 'function') fire(e, 'load');
        if (typeof e.onerror === 'function') fire(e, 'error');
      }
    },
  ];
  for (const type of [
    'focus',
    'mousemove',
    'mouseover',
    'mouseenter',
    'keydown',
    'touchstart',
    'scroll',
    'pointerdown',
    'mousedown',
    'mouseup',
  ])
    push(steps, () => {
      fire(G, type);
      fire(document, type);
      fire(document.body, type);
    });
  push(steps, () => {
    fire(G, 'click');
    fire(document, 'click');
    fire(document.body, 'click');
    for (const e of elements.slice(0, 50))
      if (typeof e.onclick === 'function' || listeners.some((l) => l.target === e && l.type === 'click')) userClick(e);
  });
  push(steps, () => {
    for (const e of elements.slice(0, 50))
      for (const type of ['mousemove', 'mouseover', 'change', 'input', 'focus', 'submit', 'animationstart', 'begin'])
        if (listeners.some((l) => l.target === e && l.type === type) || typeof e['on' + type] === 'function')
          fire(e, type);
  });
  push(steps, otherEvents);
  push(steps, () => {
    for (const e of elements.slice(0, HANDLED)) {
      const a = e[OWN].attributes;
      if (e.tagName === 'A' && /^\s*(javascript|data|blob):/i.test(a.href || '')) e.click();
      else if (e.tagName === 'FORM' && /^\s*javascript:/i.test(a.action || '')) e.submit();
    }
  });
  return steps;
};
// Every handler that nothing has called yet, whatever its event is named: some day it happens. What one throws for an event that is
// not like the real one says nothing of the page.
const otherEvents = () => {
  const quietly = (target, type) => {
    try {
      fire(target, type);
    } catch (error) {
      noteExhausted(error);
    }
  };
  for (let i = 0; i < listeners.length && i < HANDLED; i++) {
    const { target, type, what } = listeners[i];
    if (isObject(what) && !called.has(what)) quietly(target, type);
  }
  const seen = new Set([G, document, document.body, ...everyElement]);
  for (let i = 0; i < listeners.length && i < HANDLED; i++) seen.add(listeners[i].target);
  for (const target of seen)
    for (const key of R.ownKeys(target)) {
      if (typeof key !== 'string' || slice(key, 0, 2) !== 'on') continue;
      const what = target[key];
      if (typeof what === 'function' && !called.has(what)) quietly(target, slice(key, 2));
    }
};
