/**
 * `npm run check:packages`: installs each package alone into an empty project and uses it as its README and the examples say. With
 * `--projects DIR` the projects stay, and a later run uses them again. Exit codes: 0 everything is as it must be, 1 something is not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGES } from '../../packages/package-table.ts';
import { makeProject, sizeOf } from './packages/project.ts';
import { twoAtATime } from './packages/step.ts';
import { checkUse } from './packages/use.ts';

const HELP = `npm run check:packages -- [--projects DIR] [--first-examples]

  --projects DIR    keep the projects in DIR, or use those that are there, such as under another Node
  --first-examples  run only the first example of each README
`;

/** Bytes that a package may have when it is installed with its dependencies. */
const MAX_BYTES: Readonly<Record<string, number>> = { client: 3 * 1024 * 1024 };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      projects: { type: 'string' },
      'first-examples': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = values.projects ? resolve(values.projects) : mkdtempSync(join(tmpdir(), 'airlock-packages-'));
  try {
    await check(folder, values['first-examples']);
    process.stdout.write(`all packages work under Node ${process.version}\n`);
    return 0;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  } finally {
    if (!values.projects) rmSync(folder, { recursive: true, force: true });
  }
}

async function check(folder: string, onlyFirst: boolean): Promise<void> {
  // The last ones take longest.
  await twoAtATime(PACKAGES.toReversed(), async (row) => {
    await makeProject(row, folder);
    const { bytes, packages } = sizeOf(join(folder, row.folder));
    const size = `${packages} packages, ${(bytes / 1024 / 1024).toFixed(1)} MiB installed`;
    process.stdout.write(`${row.name}: ${size}\n`);
    if (bytes > (MAX_BYTES[row.folder] ?? Number.POSITIVE_INFINITY)) throw new Error(`${row.name} is too large`);
  });
  await checkUse(folder, onlyFirst);
}

process.exitCode = await main();
