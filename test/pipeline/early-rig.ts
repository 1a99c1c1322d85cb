/** A mail whose files are still examined when the time of its first message comes, and what becomes of it poll by poll. */
import { simpleParser } from 'mailparser';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { early } from '../../lib/pipeline/rebuilding/early.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { type Answer, createRig, emailWith, PDF, type Rig, type RigOptions } from './rig.ts';

export const LINK = 'https://good.example/';
export const FILES = [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }];
export const MAIL = emailWith({ text: `See ${LINK}`, html: `<p>See <a href="${LINK}">this</a></p>`, files: FILES });
export const ROOM = { maxBytes: 10_000_000 };

export interface Opened {
  readonly rig: Rig;
  /** What the service says of a file or a link from now on; `pending` until it is told. */
  readonly says: { file: Answer; link: Answer; body: Answer };
  run: Run;
}

/** A mail whose analyses are outstanding until the test says how they end. */
export async function opened(
  mail: string | Uint8Array = MAIL,
  policy: object = {},
  options: RigOptions = {},
): Promise<Opened> {
  const says: Opened['says'] = { file: 'pending', link: {}, body: {} };
  const rig = createRig({
    script: {
      polls: 0,
      answer: (request) => {
        if (request.kind === 'url_analysis') return says.link;
        return /\.(?:pdf|ics)$/.test(request.filename) ? says.file : says.body;
      },
    },
    policy: parsePolicy(JSON.stringify({ firstMessage: { afterSeconds: 30 }, ...policy })),
    ...options,
  });
  const run = await parse(rig.ctx, await rig.intake(mail));
  return { rig, says, run: await STAGES.submit(rig.ctx, run) };
}

/** One poll, and what goes on early behind it. */
export async function polled(mail: Opened) {
  mail.run = await STAGES.poll(mail.rig.ctx, mail.run);
  const between = await early(mail.rig.ctx, mail.run);
  mail.run = between.run;
  return between.early;
}

/** The run to its end. */
export async function ended(mail: Opened) {
  const { ctx } = mail.rig;
  while (mail.run.outstanding > 0) await polled(mail);
  let run = await STAGES.decide(ctx, await STAGES.fetch(ctx, mail.run));
  run = run.disposition === 'deliver' ? await STAGES.rebuild(ctx, run) : run;
  await STAGES[run.disposition === 'deliver' ? 'deliver' : 'quarantine'](ctx, run);
  return mail.rig.ledger(run.runId);
}

export const bytesOf = ({ rig, run }: Opened, key: (runId: string) => string) =>
  rig.blobs.get('clean', key(run.runId), ROOM);
export const readFirst = async (mail: Opened) => simpleParser(Buffer.from(await bytesOf(mail, keys.cleanEarly)));
export const readWhole = async (mail: Opened) => simpleParser(Buffer.from(await bytesOf(mail, keys.cleanMessage)));
