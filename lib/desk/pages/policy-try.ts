/** The addresses of the page on which a policy is tried. The typed text is read as a policy, and is not kept. */
import type { Hono } from 'hono';
import { ConfigError } from '../../pipeline/errors.ts';
import { type Policy, parsePolicy } from '../../pipeline/policy/policy.ts';
import { placeOfRow, placeText } from '../../pipeline/runs/place.ts';
import { counted, NO_RUNS, runsSince, type TrialCounts } from '../../pipeline/trial/policy-trial.ts';
import type { Turn } from '../../pipeline/trial/policy-what-if.ts';
import { contextOf, type TrialParts } from '../desk-parts.tsx';
import { MAX_POLICY_CHARS, policyPage, type TrialForm, type TrialResult } from './policy.tsx';
import { placeField, placeOf } from './trial-place.ts';

/**
 * A browser waits for the answer, an HTTP API of AWS for less than half a minute. The next page continues from there, and the command line
 * tries all.
 */
const MAX_RUNS = 1_000;
const MAX_MS = 15_000;
/** Of each state. */
const MAX_COUNTED = 1_000_000;
const EXAMPLES_OF_EACH = 10;
const DAY_MS = 86_400_000;
const DEFAULT_FORM: TrialForm = { json: '{}', days: '30' };

/** Adds the addresses to the desk. */
export function addPolicyTry(app: Hono, parts: TrialParts): void {
  app.get('/policy', (c) =>
    c.html(policyPage(contextOf(parts, c.req.header('accept-language')), DEFAULT_FORM, null, null)),
  );
  app.post('/policy', async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { policy, days, place, go } = await c.req.parseBody();
    const form = { json: String(policy ?? ''), days: String(days ?? '') };
    const [read, wanted] = [policyIn(form.json), daysIn(form.days)];
    if (typeof read === 'string') return c.html(policyPage(context, form, read, null), 422);
    if (wanted === null) return c.html(policyPage(context, form, context.words.wrongDays, null), 422);
    const known = go === 'on' && typeof place === 'string' ? placeOf(place, form) : null;
    const begun = known ?? { begunAt: parts.now(), after: null, counts: NO_RUNS };
    const result = await triedOn(parts, read, form, { ...begun, since: begun.begunAt - wanted * DAY_MS });
    return c.html(policyPage(context, form, null, result));
  });
}

/** Returns the policy, or the fault of the text. */
function policyIn(json: string): Policy | string {
  if (json.length > MAX_POLICY_CHARS) return `the policy: more than ${MAX_POLICY_CHARS} characters`;
  try {
    return parsePolicy(json);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function daysIn(text: string): number | null {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= 3_650 ? days : null;
}

/** The beginning of a page: nothing was tried yet, or the mail down to a place was. */
interface Begun {
  readonly begunAt: number;
  readonly since: number;
  readonly after: string | null;
  readonly counts: TrialCounts;
}

/** Tries the mail behind the place, until there is no more of it, or the browser has waited long enough. */
async function triedOn(parts: TrialParts, policy: Policy, form: TrialForm, from: Begun): Promise<TrialResult> {
  const begun = parts.now();
  const { begunAt, since } = from;
  const total = await runsSince(parts.runs, since, MAX_COUNTED);
  let { counts, after } = from;
  let [tried, isCut] = [0, false];
  const examples: TrialResult['examples'][number][] = [];
  const of = (turn: Turn) => examples.filter(({ result }) => result.turn === turn).length;
  for await (const run of parts.tryPolicy(policy, { since, after, most: MAX_RUNS })) {
    counts = counted(counts, run);
    tried += 1;
    after = placeText(placeOfRow(run.row));
    if (run.outcome === 'tried' && run.result.turn !== 'same' && of(run.result.turn) < EXAMPLES_OF_EACH)
      examples.push(run);
    isCut = tried === MAX_RUNS || parts.now() - begun > MAX_MS;
    if (isCut) break;
  }
  const next = isCut && after !== null ? placeField({ begunAt, after, counts }, form) : null;
  return { counts, examples, total, next };
}
