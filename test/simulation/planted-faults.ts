/** Faults that a simulation must find: one change each, made in the text of the product while it is bundled. */
import type { PlantedFault } from './bundle.ts';

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'the claim of an end is not conditional',
    seed: 9,
    file: 'lib/pipeline/terminal.ts',
    was: "contentType: 'application/json', ifAbsent: true",
    becomes: "contentType: 'application/json'",
  },
  {
    name: 'a delivery that may be alive is overridden',
    seed: 339,
    file: 'lib/pipeline/quarantine.ts',
    was: 'if (mayGoOn) throw',
    becomes: 'if (mayGoOn && claim === null) throw',
  },
  {
    name: 'a claim is not given up after an error',
    seed: 6,
    file: 'lib/pipeline/submission-of.ts',
    was: 'await ctx.submissions.release(claim.key, claim.claimedBy);',
    becomes: '',
  },
  {
    name: 'a submission is sent whoever holds the claim',
    seed: 2,
    file: 'lib/pipeline/submission-of.ts',
    was: 'if (won) return send(',
    becomes: 'if (won || record.submissionId === null) return send(',
  },
  {
    name: 'a submission is sent again without asking whether it was sent',
    seed: 9,
    file: 'lib/pipeline/submission-of.ts',
    was: 'await ctx.analyzer.find(await requestFor(ctx, claim.claimedBy, artifact, kind))',
    becomes: 'null as string | null',
  },
  {
    name: 'bytes are sent under a hash that is not theirs',
    seed: 51,
    file: 'lib/pipeline/submission-of.ts',
    was: 'if (sha256Hex(bytes) !== sha256)',
    becomes: 'if (bytes.length < 0)',
  },
  {
    name: 'the ledger is written before the bytes that it names',
    seed: 6,
    file: 'lib/pipeline/parse.ts',
    was: 'await storeBytes(ctx, found.leaves);',
    becomes: 'void storeBytes(ctx, found.leaves).catch(() => {});',
  },
  {
    name: 'what is outstanding counts as a timeout long before the deadline',
    seed: 15,
    file: 'lib/pipeline/outstanding.ts',
    was: 'return ctx.clock.now() >= Date.parse(deadlineAt);',
    becomes: 'return ctx.clock.now() + 1_500_000 >= Date.parse(deadlineAt);',
  },
  {
    name: 'rebuilt bytes are delivered without a look at their hash',
    seed: 36,
    file: 'lib/pipeline/deliver.ts',
    was: 'if (sha256Hex(rebuilt) !== ledger.rebuilt.sha256)',
    becomes: 'if (rebuilt.length < 0)',
  },
  {
    name: 'the message is written before its files',
    seed: 10,
    file: 'lib/pipeline/deliver.ts',
    was: 'await mapBounded(where.files, ctx.limits.concurrentSubmissions, ({ part, key }) => writeFile(ctx, part, key));',
    becomes: 'void mapBounded(where.files, 8, ({ part, key }) => writeFile(ctx, part, key)).catch(() => {});',
  },
  {
    name: 'an event that was not taken is forgotten',
    seed: 173,
    file: 'lib/pipeline/deliver.ts',
    was: "await ctx.events.emit({ type: 'MessageDelivered', runId: run.runId, detail });",
    becomes: "await ctx.events.emit({ type: 'MessageDelivered', runId: run.runId, detail }).catch(() => {});",
  },
  {
    name: 'an entry of the chain can be written again',
    seed: 2,
    file: 'lib/pipeline/chain.ts',
    was: "contentType: 'application/json', ifAbsent: true",
    becomes: "contentType: 'application/json'",
  },
];
