/** `airlock audit seal`: a person accepts that records are missing at the end of the audit trail. */
import type { Command } from 'commander';
import { isLostRecord } from '../../pipeline/errors.ts';
import { type Sealed, sealAudit } from '../../pipeline/review/audit-seal.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { type Console, complain, writeLine } from '../console.ts';
import { contextOf } from '../session/run-context.ts';
import { SEALED } from '../verify/seal-words.ts';
import { whoIn, withWho } from './review-verb.ts';

interface SealOptions {
  readonly out: string;
  readonly stack?: string;
  readonly as?: string;
  readonly reason: string;
  readonly json?: boolean;
}

const EXIT = { done: 0, nothing: 1 } as const;

/** Adds the verb to `airlock audit`. */
export function addSeal(audit: Command, console: Console, done: (code: number) => void): void {
  const seal = audit
    .command('seal')
    .description(
      'accept that records, or the head, are missing at the end of the trail, so that mail is no longer held for it',
    );
  withWho(seal, 'the audit trail')
    .option('--stack <name>', 'the trail of a deployment, in the name of the sign-in in AIRLOCK_DESK_TOKEN')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--json', 'print one JSON line on stdout')
    .action(async (options: SealOptions) => done(await sealVerb(console, options)));
}

async function sealVerb(console: Console, options: SealOptions): Promise<number> {
  const { stack, out, json } = options;
  const who = whoIn(options);
  if (stack !== undefined) {
    // The clients of AWS are loaded only where they are used.
    const { reviewRemotely } = await import('./review-remote.ts');
    return reviewRemotely(console, { action: 'seal', why: who.why }, { ...options, stack });
  }
  const sealed = await sealAudit(contextOf(out), who).catch((error: unknown) => {
    if (!isLostRecord(error)) throw error;
    complain(console, `Nothing was sealed: ${error.message}. Put this record back from a copy.`);
    return null;
  });
  if (sealed === null) return EXIT.nothing;
  await writeLine(console.stdout, json ? safeJson(sealed) : sentence(sealed));
  return sealed.state === 'unchanged' ? EXIT.nothing : EXIT.done;
}

function sentence(sealed: Sealed): string {
  if (sealed.state === 'unchanged') return SEALED.unchanged;
  const what = sealed.missing === null ? '' : ` The head named record ${sealed.missing.sequence}.`;
  return `Record ${sealed.sequence} of the audit trail is the seal.${what} ${SEALED[sealed.state]}`;
}
