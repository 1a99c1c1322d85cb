/** The steps of a user with a page: the page loads, and the user moves, types and clicks. */
import { OWN, push, slice } from './bridge.js';
import { noteExhausted } from './calls.js';
import { document, elements, everyElement, HANDLED } from './elements.js';
import { called, fire, listeners } from './events.js';
import { writeRest } from './navigation.js';
import { isObject } from './realms.js';
import { scriptGlobal } from './script-global.js';

// A hand moves the mouse in many steps, and some scripts count them.
const MOVES = 24;
// It is no redirect when a user follows a link of the page. Only what its handlers do counts.
const userClick = (e) => {
  const { href } = e[OWN].attributes;
  if (e.tagName === 'A' && href !== undefined && href === e[OWN].given && !/^\s*(javascript|data|blob):/i.test(href))
    fire(e, 'click');
  else if (e.tagName === 'BUTTON' && e[OWN].attributes.type === undefined) fire(e, 'click');
  else e.click();
};
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
      fire(scriptGlobal, 'load');
      fire(document.body, 'load');
      fire(scriptGlobal, 'pageshow');
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
      for (let times = type === 'mousemove' ? MOVES : 1; times > 0; times--) {
        fire(scriptGlobal, type);
        fire(document, type);
        fire(document.body, type);
      }
    });
  push(steps, () => {
    fire(scriptGlobal, 'click');
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
// Calls every handler that was not called yet, because its event may happen some day. An error of a handler is ignored, because our
// event is not like the real one.
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
  const seen = new Set([scriptGlobal, document, document.body, ...everyElement]);
  for (let i = 0; i < listeners.length && i < HANDLED; i++) seen.add(listeners[i].target);
  for (const target of seen)
    for (const key of Reflect.ownKeys(target)) {
      if (typeof key !== 'string' || slice(key, 0, 2) !== 'on') continue;
      const what = target[key];
      if (typeof what === 'function' && !called.has(what)) quietly(target, slice(key, 2));
    }
};
