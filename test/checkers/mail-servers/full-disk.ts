/** A gateway whose spool is on a disk that fills up: a small tmpfs, which grows later. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../tools.ts';
import { untilArrived } from './mailboxes.ts';
import { swaks } from './mails.ts';
import { inPlace } from './place.ts';
import { NotHereError, recipeIn, type Trial } from './trial-parts.ts';

const MOUNT_MS = 30_000;
const SMALL = 'size=6m';
const LARGE = 'size=400m';
/** A message of 200 KB is there three times when it waits for the next server. */
const BODY = `${'A line of a letter that nobody has to read.\r\n'.repeat(4_500)}`;
const MAX_SENT = 60;
const REFUSED = 5;

const mount = (options: readonly string[], path: string) => runTool('mount', [...options, path], MOUNT_MS);
const letter = (subject: string) => ({
  ...{ subject, from: 'ana@sender.example', to: ['bo'] },
  message: `From: ana@sender.example\r\nSubject: ${subject}\r\n\r\n${BODY}`,
});

/** Sends letters until some were refused. Returns the subjects that were accepted, and what is wrong with the answers. */
async function untilFull(folder: string, port: number): Promise<{ accepted: string[]; problems: string[] }> {
  const accepted: string[] = [];
  const problems: string[] = [];
  let refused = 0;
  for (let number = 1; number <= MAX_SENT && refused < REFUSED; number += 1) {
    const subject = `Letter ${number}`;
    const { code, output } = await swaks(folder, port, letter(subject), 'example.com');
    if (code === 0) accepted.push(subject);
    else refused += 1;
    if (code !== 0 && !/^<\S* +4\d\d /m.test(output)) problems.push(`${subject}: neither taken nor put off: ${output}`);
  }
  if (refused < REFUSED) problems.push(`the disk was not full after ${MAX_SENT} letters`);
  return { accepted, problems };
}

export const fullDisk: Trial = {
  name: 'a spool on a full disk: senders come back, and what was taken arrives once',
  async run(folder) {
    const spool = join(folder, 'spool');
    await mkdir(spool);
    const mounted = await mount(['-t', 'tmpfs', '-o', SMALL, 'tmpfs'], spool);
    if (mounted.code !== 0) throw new NotHereError(`mount: ${mounted.output}`);
    try {
      return await inPlace(folder, async (place) => {
        const limits = join(folder, 'limits.json');
        await writeFile(limits, JSON.stringify({ freeDiskBytes: 1, firstRetrySeconds: 2, judgements: 1000 }));
        await place.gateway([...recipeIn(place, 'Before Dovecot').gateway, '--limits', limits]);
        const { accepted, problems } = await untilFull(folder, place.ports.gateway);
        await mount(['-o', `remount,${LARGE}`], spool);
        await place.dovecot();
        const arrived = (await untilArrived(place.mail, accepted.length)).map(({ subject }) => subject);
        return [
          ...problems,
          ...accepted
            .filter((subject) => arrived.filter((each) => each === subject).length !== 1)
            .map((subject) => `${subject} was taken, and did not arrive once`),
          ...arrived
            .filter((subject) => !accepted.includes(subject))
            .map((subject) => `${subject} was put off, and arrived`),
        ];
      });
    } finally {
      await runTool('umount', [spool], MOUNT_MS);
    }
  },
};
