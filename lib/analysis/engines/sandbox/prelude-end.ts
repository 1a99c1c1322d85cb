/** Last part of the prelude: which objects a file finds, and the handles by which the run goes on. Text for QuickJS; see prelude-core.ts. */
import { PRELUDE_ACROBAT } from './prelude-acrobat.ts';
import { PRELUDE_CORE } from './prelude-core.ts';
import { PRELUDE_OBJECTS } from './prelude-objects.ts';
import { PRELUDE_PAGE } from './prelude-page.ts';
import { PRELUDE_WSH } from './prelude-wsh.ts';
import type { ScriptObjects } from './script-file.ts';

const PRELUDE_END = `
const guarded = (work) => { try { work(); } catch (error) { rec('script-error', Str(error && error.message || error)); } };
return {
  begin: (json) => {
    const facts = parseJson(json);
    putScript();
    replies = facts.network;
    if (facts.objects === 'page' || facts.objects === 'application') { usePage(facts); for (const e of facts.elements) adopt(e); }
    if (facts.objects === 'host' || facts.objects === 'application') { useWsh(facts.objects === 'host'); declareObjects(facts.elements); }
    if (facts.objects === 'acrobat') useAcrobat(facts);
  },
  // One user step or one timer each time, until there is none.
  steps: () => typeof pageSteps === 'undefined' ? 0 : pageSteps().length,
  step: (index) => { guarded(pageSteps()[Num(index)]); },
  timer: () => { let more = false; guarded(() => { more = runTimer(); if (!more) return; }); return more ? 'more' : timers.some((t) => t.left > 0) ? 'more' : ''; },
  end: () => { guarded(flushFiles); },
};
`;

/** Keeps the real `eval` behind its bare name, where a direct call sees the variables around it. */
export const PRELUDE_EVAL = 'let eval = globalThis.eval;';

/** An expression whose value is the object with `begin`, `steps`, `step`, `timer` and `end`. What a file cannot see is left out: parsing it takes time. */
export function preludeFor(objects: ScriptObjects): string {
  const page = objects === 'page' || objects === 'application' ? PRELUDE_PAGE : '';
  const automation = objects === 'host' || objects === 'application' ? PRELUDE_OBJECTS : '';
  const acrobat = objects === 'acrobat' ? PRELUDE_ACROBAT : '';
  return `(function () {${PRELUDE_CORE}${PRELUDE_WSH}${automation}${page}${acrobat}${PRELUDE_END}})()`;
}
