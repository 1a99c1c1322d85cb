/** The controls of the run. They say which objects a file finds, and run one step of the user or of the timers at a time. */
import { useAcrobat } from './acrobat.js';
import { contentOf } from './blobs.js';
import { Num, parseJson, Str } from './bridge.js';
import { exhausted, forgetCall, recordError } from './calls.js';
import { declareObjects } from './class-ids.js';
import { setClock } from './clock.js';
import { putScript } from './disk.js';
import { adopt } from './elements.js';
import { fromScripts } from './from-scripts.js';
import { native } from './native-functions.js';
import { setPlace } from './place.js';
import { names, useNames } from './prepared-names.js';
import { define, fixed, THEIRS } from './realms.js';
import { setReplies } from './requests.js';
import { useWsh } from './script-host.js';
import { flushFiles } from './text-stream.js';
import { endInterval, runTimer, timers } from './timers.js';
import { pageSteps } from './user.js';
import { usePage } from './window.js';

// Members of pages that are newer than the program in which HTML applications run.
const NEW_PAGE = [
  'fetch',
  'URL',
  'URLSearchParams',
  'webkitURL',
  'Blob',
  'File',
  'FileReader',
  'TextEncoder',
  'TextDecoder',
  'DecompressionStream',
  'Response',
  'FormData',
  'crypto',
  'performance',
  'WebSocket',
  'Worker',
  'MutationObserver',
  'IntersectionObserver',
  'ResizeObserver',
  'DOMParser',
  'Intl',
  'queueMicrotask',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'chrome',
  'origin',
  'isSecureContext',
  'CustomEvent',
  'KeyboardEvent',
  'MouseEvent',
  'UIEvent',
  'Event',
  'console',
  'atob',
  'btoa',
  'devicePixelRatio',
  'matchMedia',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
];
const textOf = (error) => {
  const name = error && error.name;
  const message = error && error.message;
  return name === undefined && message === undefined ? 'thrown value' : Str(name) + ': ' + Str(message);
};
const guarded = (work) => {
  forgetCall();
  try {
    work();
  } catch (error) {
    recordError(error);
  }
};
// The joined text returns this object (environment-text.ts).
export const controls = {
  begin: (json) => {
    const facts = parseJson(json);
    setPlace(facts.place);
    setClock(facts.now, facts.seed);
    useNames(facts.names);
    putScript();
    setReplies(facts.network);
    if (facts.objects === 'page' || facts.objects === 'application') {
      usePage(facts);
      for (const e of facts.elements) adopt(e);
    }
    if (facts.objects === 'host' || facts.objects === 'application') {
      useWsh(facts.objects === 'host');
      declareObjects(facts.elements);
    }
    if (facts.objects === 'acrobat') useAcrobat(facts);
    if (isOld && facts.objects === 'application')
      for (const name of NEW_PAGE) Reflect.deleteProperty(theirGlobal, name);
  },
  // Called when code was repaired that assigns to calls. An object without a default property then ignores the assignment.
  repaired: () => {
    define(THEIRS.functions, names.put, fixed(native('', 2, () => undefined)));
  },
  // The number of the user's steps.
  steps: () => (typeof pageSteps === 'undefined' ? 0 : pageSteps().length),
  step: (index) => {
    guarded(pageSteps()[Num(index)]);
  },
  // `slow` says that the last timer took long.
  timer: (slow) => {
    if (slow === 'slow') endInterval();
    let more = false;
    guarded(() => {
      more = runTimer();
    });
    return more ? 'more' : timers.some((t) => t.left > 0) ? 'more' : '';
  },
  // The code of a module that a page made itself; empty for others.
  content: (url) => (typeof contentOf === 'undefined' ? '' : contentOf(url) || ''),
  end: () => {
    guarded(flushFiles);
  },
  // Why the environment ran out of stack or memory; empty when it did not.
  exhausted: () => exhausted,
  // The error may be any value of a script, without a wrapper.
  describe: (error) => {
    try {
      return textOf(fromScripts(error));
    } catch {
      return 'thrown value';
    }
  },
};
