/** The recipes of docs/gateway.md with mail servers that Debian does not install beside Postfix, and a full disk. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startExim } from './exim.ts';
import { fullDisk } from './full-disk.ts';
import { untilArrived } from './mailboxes.ts';
import { COPIES, contentProblems, problemsOf, swaks } from './mails.ts';
import { inPlace } from './place.ts';
import { startSendmail } from './sendmail.ts';
import { HELD, LOOPING, recipeIn, sendAll, spoolProblems, type Trial } from './trial-parts.ts';

/** Sendmail asks the milter while its senders wait. Without the milter it puts them off. */
const sendmail: Trial = {
  name: 'Sendmail with a milter',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const recipe = recipeIn(place, 'With Sendmail');
      await mkdir(join(folder, 'sendmail'));
      const options = { folder: join(folder, 'sendmail'), port: ports.front, lmtp: ports.lmtp };
      await place.dovecot();
      const server = await startSendmail({ ...options, recipe: recipe.sendmail });
      try {
        const away = await swaks(folder, ports.front, LOOPING, 'example.com');
        const milter = await place.gateway(recipe.gateway, {}, recipe.verb);
        const refused = await sendAll(place);
        const first = await untilArrived(mail, COPIES);
        const problems = [...refused, ...contentProblems(first), ...(await spoolProblems(spool))];
        await milter.stop();
        await place.gateway([...recipe.gateway, '--held', 'reject'], {}, recipe.verb);
        const held = await swaks(folder, ports.front, HELD, 'example.com');
        return [
          ...problems,
          ...(/<\S* +451 4\.\d+\.\d+ /.test(away.output)
            ? []
            : ['without the milter, a sender was not told to come back']),
          ...(/<\S* +550 5\.7\.1 .*\(reference /.test(held.output)
            ? []
            : ['held mail was not refused with a reference']),
        ];
      } finally {
        await server.stop();
      }
    }),
};

/** Exim gives what it accepted to the gateway, and gets it back at a port of its own. */
const exim: Trial = {
  name: 'Exim with a router to the gateway, in front and behind',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const recipe = recipeIn(place, 'With Exim');
      await mkdir(join(folder, 'exim'));
      await place.dovecot();
      const options = { folder: join(folder, 'exim'), port: ports.front, lmtp: ports.lmtp };
      const server = await startExim({ ...options, recipe: recipe.exim });
      try {
        await place.gateway(recipe.gateway);
        const refused = await sendAll(place);
        return [...refused, ...problemsOf(await untilArrived(mail, COPIES)), ...(await spoolProblems(spool))];
      } finally {
        await server.stop();
      }
    }),
};

export const OTHER_TRIALS: readonly Trial[] = [sendmail, exim, fullDisk];
