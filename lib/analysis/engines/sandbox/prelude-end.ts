/** Last part of the prelude: which objects a file finds, and the handles by which the run goes on. Text for QuickJS; see prelude-core.ts. */
import { PRELUDE_ACROBAT } from './prelude-acrobat.ts';
import { PRELUDE_BRIDGE, PRELUDE_CORE } from './prelude-core.ts';
import { PRELUDE_MEMBRANE } from './prelude-membrane.ts';
import { PRELUDE_OBJECTS } from './prelude-objects.ts';
import { PRELUDE_PAGE } from './prelude-page.ts';
import { PRELUDE_REALM } from './prelude-realm.ts';
import { PRELUDE_WSH } from './prelude-wsh.ts';
import type { ScriptObjects } from './script-file.ts';

const PRELUDE_END = `
// Of pages newer than the programs that HTML applications run in.
const NEW_PAGE = ['fetch', 'URL', 'URLSearchParams', 'webkitURL', 'Blob', 'File', 'FileReader', 'TextEncoder', 'TextDecoder', 'DecompressionStream', 'Response', 'FormData', 'crypto', 'performance', 'WebSocket', 'Worker', 'MutationObserver', 'IntersectionObserver', 'ResizeObserver', 'DOMParser', 'Intl', 'queueMicrotask', 'requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'chrome', 'origin', 'isSecureContext', 'CustomEvent', 'KeyboardEvent', 'MouseEvent', 'UIEvent', 'Event', 'console', 'atob', 'btoa', 'devicePixelRatio', 'matchMedia', 'addEventListener', 'removeEventListener', 'dispatchEvent'];
const textOf = (error) => { const name = error && error.name, message = error && error.message; return name === undefined && message === undefined ? 'thrown value' : Str(name) + ': ' + Str(message); };
const guarded = (work) => { call = null; try { work(); } catch (error) { rec('script-error', Str(error && error.message || error)); } };
return {
  begin: (json) => {
    const facts = parseJson(json);
    START = facts.now; state = facts.seed; useNames(facts.names);
    putScript();
    replies = facts.network;
    if (facts.objects === 'page' || facts.objects === 'application') { usePage(facts); for (const e of facts.elements) adopt(e); }
    if (facts.objects === 'host' || facts.objects === 'application') { useWsh(facts.objects === 'host'); declareObjects(facts.elements); }
    if (facts.objects === 'acrobat') useAcrobat(facts);
    if (isOld && facts.objects === 'application') for (const name of NEW_PAGE) R.deleteProperty(S, name);
  },
  // Code was repaired that assigns to calls: what has no default property takes it without effect.
  repaired: () => { define(THEIRS.functions, names.put, fixed(native('', 2, () => undefined))); },
  // One user step or one timer each time, until there is none.
  steps: () => typeof pageSteps === 'undefined' ? 0 : pageSteps().length,
  step: (index) => { guarded(pageSteps()[Num(index)]); },
  timer: () => { let more = false; guarded(() => { more = runTimer(); if (!more) return; }); return more ? 'more' : timers.some((t) => t.left > 0) ? 'more' : ''; },
  // Of a module that a page made itself; empty for others.
  content: (url) => typeof contentOf === 'undefined' ? '' : contentOf(url) || '',
  end: () => { guarded(flushFiles); },
  // Why the prelude itself came to no end, once.
  exhausted: () => exhausted,
  // Given as it is, whatever it is.
  describe: (error) => { try { return textOf(toP(error)); } catch (again) { return 'thrown value'; } },
};
`;

/** What the scripts find: among which objects, and with the built-ins of which age. */
export interface Realm {
  readonly objects: ScriptObjects;
  /** Only what JScript 5.8 has. */
  readonly isOld: boolean;
}

/** Keeps the real `eval` of the scripts behind its bare name, where a direct call sees the variables around it. */
export const PRELUDE_EVAL = 'let eval = globalThis.eval;';

/**
 * An expression whose value is a function of the host function and the scripts' global object, which returns the handles by which
 * the run goes on. What a file cannot see is left out: parsing it takes time.
 */
export function preludeFor({ objects, isOld }: Realm): string {
  const isWindows = objects === 'host' || objects === 'application';
  const page = objects === 'page' || objects === 'application' ? PRELUDE_PAGE : '';
  const automation = isWindows ? PRELUDE_OBJECTS : '';
  const acrobat = objects === 'acrobat' ? PRELUDE_ACROBAT : '';
  const facts = `'use strict'; const isOld = ${isOld}, isWindows = ${isWindows};`;
  const parts = [
    facts,
    PRELUDE_BRIDGE,
    PRELUDE_MEMBRANE,
    PRELUDE_REALM,
    PRELUDE_CORE,
    PRELUDE_WSH,
    automation,
    page,
    acrobat,
  ];
  return `(function (host, S) {${parts.join('')}${PRELUDE_END}})`;
}
