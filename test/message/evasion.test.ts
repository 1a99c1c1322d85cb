import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';

const FOLDER = join(process.env.AIRLOCK_CASES ?? '../shared/data', 'evasion');
const isPresent = existsSync(join(FOLDER, 'index.json'));
if (!isPresent) console.warn(`evasion cases are not run: there is no ${join(FOLDER, 'index.json')}`);

/**
 * Mails whose payload is neither a leaf nor behind a warning: it sits inside a leaf that is read correctly, and finding it
 * there is the work of whoever opens that leaf. The leaf itself is judged as the file it is.
 */
const INSIDE_A_LEAF: Readonly<Record<string, string>> = {
  tnef: 'winmail.dat is one attachment; its files are for a container reader',
  smime_opaque: 'smime.p7m is one attachment; its content is for a container reader',
  rfc822_octet: 'a message sent as application/octet-stream is one attachment, typed by its bytes',
  data_uri_html: 'a data: URI is part of the HTML body, for the URL search and the disarm of HTML',
};

interface Case {
  readonly id: string;
  readonly file: string;
  readonly name?: string;
}

interface Index {
  readonly payload_sha256: string;
  readonly cases: readonly Case[];
}

describe('mail made to slip past readers', () => {
  test.runIf(isPresent)('lists the payload or warns, for every case but those inside a leaf', async () => {
    const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as Index;
    const counts = { cases: 0, listed: 0, listedWithoutWarning: 0, warnedOnly: 0 };
    const silent: string[] = [];
    for (const { id, file } of index.cases) {
      const { parts, warnings } = await readMessage(readFileSync(join(FOLDER, file)), DEFAULT_LIMITS);
      const isListed = parts.some((part) => part.sha256 === index.payload_sha256);
      const isWarned = warnings.length > 0;
      counts.cases++;
      if (isListed) counts.listed++;
      if (isListed && !isWarned) counts.listedWithoutWarning++;
      if (!isListed && isWarned) counts.warnedOnly++;
      if (!isListed && !isWarned) silent.push(id);
    }
    console.info('evasion cases:', { ...counts, insideALeaf: silent.length });
    expect(silent.sort()).toEqual(Object.keys(INSIDE_A_LEAF).sort());
  });

  test.runIf(isPresent)('finds the name that each naming case hides', async () => {
    const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as Index;
    for (const { id, file, name } of index.cases) {
      if (name === undefined) continue;
      const { parts } = await readMessage(readFileSync(join(FOLDER, file)), DEFAULT_LIMITS);
      const names = parts.flatMap((part) => part.untrustedNames);
      expect({ id, names }).toEqual({ id, names: name === '' ? [] : expect.arrayContaining([name]) });
    }
  });
});
