/** `airlock doctor`: tries everything that the other verbs need, and reports missing parts with their remedies. */
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { credentialsIn } from '../aws-credentials.ts';
import type { ConfigChoice } from '../config/find.ts';
import { type Console, writeLine } from '../console.ts';
import { portIn } from '../options/port.ts';
import { EXIT } from '../outcome.ts';
import { painterFor, wrap } from '../paint.ts';
import type { Finding } from './checks.ts';
import { configuration, policyIn } from './config.ts';

interface DoctorOptions {
  readonly port: string;
  readonly service?: string;
  readonly bucket?: readonly string[];
  readonly json?: boolean;
}

/** Adds the verb to the program. */
export function addDoctor(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('doctor')
    .description('try everything that airlock needs here, and say what is missing')
    .option('--port <number>', 'the port for airlock serve', '8080')
    .option('--service <url>', 'also ask this analysis service, with the key in AIRLOCK_API_KEY')
    .option('--bucket <name...>', 'also look at these buckets on AWS, with the credentials of the environment')
    .option('--json', 'print one JSON line per check')
    .addHelpText('after', '\nExit codes: 0 everything works, 1 something does not. Nothing is changed.')
    .action(async (options: DoctorOptions) => done(await doctorVerb(console, options, program.opts().config)));
}

async function doctorVerb(console: Console, options: DoctorOptions, choice: ConfigChoice): Promise<number> {
  const number = portIn(options.port);
  const { service: url, bucket: names = [] } = options;
  const { checked, database, engines, folder, nodeVersion, port, service } = await import('./checks.ts');
  const findings = [
    await checked('Node', () => nodeVersion(process.versions.node)),
    await checked('configuration', () => configuration(console, choice)),
    await checked('policy', () => policyIn(console, choice)),
    await checked('this folder', () => folder('.')),
    await checked(`${tmpdir()}`, () => folder(tmpdir())),
    await checked('database', database),
    await checked(`port ${number}`, () => port(number)),
    ...(await engines()),
    ...(url === undefined ? [] : [await checked(url, () => service(console, url))]),
    ...(names.length === 0 ? [] : await onAws(console, names)),
  ];
  for (const finding of findings) await print(console, finding, options);
  const bad = findings.filter(({ state }) => state === 'bad').length;
  if (!options.json)
    await writeLine(console.stdout, bad === 0 ? 'Everything works.' : `${bad} of ${findings.length} do not work.`);
  return bad === 0 ? EXIT.delivered : EXIT.quarantined;
}

/** Loads the SDK only for questions about AWS. */
async function onAws(console: Console, names: readonly string[]): Promise<Finding[]> {
  const { buckets } = await import('./aws.ts');
  return await buckets(names, credentialsIn(console));
}

const NAME_COLUMN = 22;

async function print(console: Console, finding: Finding, { json }: DoctorOptions): Promise<void> {
  if (json) return await writeLine(console.stdout, safeJson(finding));
  const paint = painterFor(console);
  const { name, state, text } = finding;
  const word = state === 'good' ? paint('green', 'good') : paint('red', 'bad ');
  const indent = ' '.repeat(NAME_COLUMN + 6);
  const said = wrap(safeText(text, 600), paint.width - indent.length, indent);
  await writeLine(console.stdout, `${word}  ${safeText(name, 100).padEnd(NAME_COLUMN - 1)} ${said}`);
}
