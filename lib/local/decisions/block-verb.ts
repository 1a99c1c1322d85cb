/** `airlock block add|remove|list`: the block list of people. */
import type { Command } from 'commander';
import { BLOCK_KINDS, type Block, type BlockKind } from '../../pipeline/review/block.ts';
import { changeBlock, createBlockList } from '../../pipeline/review/block-list.ts';
import { blockOf } from '../../pipeline/review/block-of.ts';
import { inertText, safeJson, safeText } from '../../pipeline/safe-text.ts';
import { minuteText } from '../../words/minute-text.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { openPlace } from '../places/open.ts';
import { contextOf } from '../session/run-context.ts';
import { whoIn, withWho } from './review-verb.ts';

interface BlockOptions extends Partial<Record<BlockKind, string>> {
  readonly out: string;
  readonly stack?: string;
  readonly as?: string;
  readonly reason: string;
  readonly json?: boolean;
}

const EXIT = { done: 0, nothing: 1 } as const;

/** Adds the verbs to the program. */
export function addBlock(program: Command, console: Console, done: (code: number) => void): void {
  const block = program
    .command('block')
    .description('hold mail with a certain file, link or host, or from a certain sender');
  const change = (name: string, action: 'block' | 'unblock', description: string) =>
    withWho(
      block
        .command(name)
        .description(description)
        .option('--file <sha256>', 'a file by its SHA-256, also inside archives')
        .option('--url <url>', 'a link')
        .option('--host <name>', 'all links to a host and those below it')
        .option('--sender <address>', 'mail from an address, or from a domain and those below it'),
      'the audit trail',
    )
      .option('--stack <name>', 'the list of a deployment, in the name of the sign-in in AIRLOCK_DESK_TOKEN')
      .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
      .option('--json', 'print one JSON line on stdout')
      .action(async (options: BlockOptions) => done(await changeVerb(console, action, options)));
  change('add', 'block', 'hold all mail with it from now on');
  change('remove', 'unblock', 'take it off the list');
  block
    .command('list')
    .description('list what is blocked, by whom and why')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'the list of a deployment instead, by the name of its stack')
    .option('--json', 'print one JSON line for each')
    .action(async (options: BlockOptions) => done(await listVerb(console, options)));
}

async function changeVerb(console: Console, action: 'block' | 'unblock', options: BlockOptions): Promise<number> {
  const { stack } = options;
  const who = whoIn(options);
  const block = blockIn(options);
  if (stack !== undefined) {
    // The clients of AWS are loaded only where they are used.
    const { reviewRemotely } = await import('./review-remote.ts');
    return reviewRemotely(console, { action, ...block, why: who.why }, { ...options, stack });
  }
  const ctx = contextOf(options.out);
  const isChanged = await changeBlock(ctx, createBlockList(ctx), action, { block, who });
  const state = isChanged ? `${action}ed` : 'unchanged';
  const words = `${block.kind} ${inertText(block.value, 200)}`;
  const sentence = isChanged
    ? `${words} is ${action}ed.`
    : `${words} ${action === 'block' ? 'is blocked already' : 'is not blocked'}.`;
  await writeLine(console.stdout, options.json ? safeJson({ ...block, state }) : sentence);
  return isChanged ? EXIT.done : EXIT.nothing;
}

function blockIn(options: BlockOptions): Block {
  const given = BLOCK_KINDS.filter((kind) => options[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw new UsageError(`Name one thing: ${BLOCK_KINDS.map((name) => `--${name}`).join(', ')}.`);
  const text = options[kind] ?? '';
  const block = blockOf(kind, text);
  if (block === null)
    throw new UsageError(`--${kind} ${JSON.stringify(text.slice(0, 200))} is nothing that can be blocked so.`);
  return block;
}

async function listVerb(console: Console, { json, ...options }: BlockOptions): Promise<number> {
  const place = await openPlace(console, options);
  const blockings = await createBlockList(place.ctx)
    .current()
    .finally(() => place.close());
  for (const { block, record } of blockings) {
    const [person] = record.people;
    const line = `${block.kind.padEnd(7)} ${inertText(block.value, 300)}  ${minuteText(person?.at ?? '')}Z by ${safeText(person?.name ?? '', 100)} (${safeText(person?.why ?? '', 200)})`;
    await writeLine(console.stdout, json ? safeJson({ ...block, ...person, sequence: record.sequence }) : line);
  }
  if (blockings.length === 0 && !json) await writeLine(console.stdout, 'Nothing is blocked.');
  return EXIT.done;
}
