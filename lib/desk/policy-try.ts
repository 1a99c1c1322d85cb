/** The addresses of the page on which a policy is tried. The text that is typed there is read as a policy, and nothing keeps it. */
import type { Hono } from 'hono';
import { ConfigError } from '../pipeline/errors.ts';
import { type Policy, parsePolicy } from '../pipeline/policy.ts';
import { counted, NO_RUNS } from '../pipeline/policy-trial.ts';
import type { Turn } from '../pipeline/policy-what-if.ts';
import { contextOf, type DeskParts } from './desk-parts.tsx';
import { MOST_POLICY_CHARS, policyPage, type TrialForm, type TrialResult } from './policy-page.tsx';

/** A browser waits for the answer. The command line tries as many as there are. */
const MOST_RUNS = 1_000;
const EXAMPLES_OF_EACH = 10;
const DAY_MS = 86_400_000;
const DEFAULT_FORM: TrialForm = { json: '{}', days: '30' };

/** Adds the addresses to the desk. */
export function addPolicyTry(app: Hono, parts: DeskParts): void {
  app.get('/policy', (c) =>
    c.html(policyPage(contextOf(parts, c.req.header('accept-language')), DEFAULT_FORM, null, null)),
  );
  app.post('/policy', async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { policy, days } = await c.req.parseBody();
    const form = { json: String(policy ?? ''), days: String(days ?? '') };
    const [read, wanted] = [policyIn(form.json), daysIn(form.days)];
    if (typeof read === 'string') return c.html(policyPage(context, form, read, null), 422);
    if (wanted === null) return c.html(policyPage(context, form, context.words.wrongDays, null), 422);
    const result = await triedOn(parts, read, parts.now() - wanted * DAY_MS);
    return c.html(policyPage(context, form, null, result));
  });
}

/** The policy, or what is wrong with it. */
function policyIn(json: string): Policy | string {
  if (json.length > MOST_POLICY_CHARS) return `the policy: more than ${MOST_POLICY_CHARS} characters`;
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

async function triedOn(parts: DeskParts, policy: Policy, since: number): Promise<TrialResult> {
  let [counts, tried] = [NO_RUNS, 0];
  const examples: TrialResult['examples'][number][] = [];
  const of = (turn: Turn) => examples.filter(({ result }) => result.turn === turn).length;
  for await (const run of parts.tryPolicy(policy, since, MOST_RUNS)) {
    counts = counted(counts, run);
    tried += 1;
    if (run.outcome === 'tried' && run.result.turn !== 'same' && of(run.result.turn) < EXAMPLES_OF_EACH)
      examples.push(run);
  }
  return { counts, examples, isCut: tried === MOST_RUNS };
}
