/** The rooms whose tests are tried by planting faults, and the tests that are asked. */
import { readdirSync } from 'node:fs';

export interface Room {
  readonly name: string;
  /** Files and folders in which faults are planted. */
  readonly sources: readonly string[];
  /** What of them belongs to another room. */
  readonly except?: readonly string[];
  /** Tests that can notice them, the fewest that do: every fault runs those of them that reach it. */
  readonly tests: readonly string[];
  /** Of a hundred faults, at least so many must be noticed. */
  readonly atLeast: number;
}

const SERVER = 'lib/service/server';

/** Who calls, what they may see, how much, and whose bytes an upload is. */
const SERVER_GUARDS = [
  `${SERVER}/call.ts`,
  `${SERVER}/http/credentials.ts`,
  `${SERVER}/jobs/accept.ts`,
  `${SERVER}/jobs/quotas.ts`,
  `${SERVER}/store/api-keys.ts`,
  `${SERVER}/store/sqlite-keys.ts`,
  `${SERVER}/store/submission-facts.ts`,
  `${SERVER}/store/submission-match.ts`,
  `${SERVER}/store/uploads.ts`,
];

export const ROOMS: readonly Room[] = [
  {
    name: 'pipeline',
    sources: ['lib/pipeline'],
    // Not identity.test.ts and flow/, which ask the same of many made-up ledgers and take as long for each fault.
    tests: ['test/pipeline/!(identity).test.ts'],
    atLeast: 90,
  },
  {
    name: 'rebuilding',
    sources: ['lib/message/rebuilding'],
    tests: ['test/message/rebuild.test.ts', 'test/message/clean-header.test.ts', 'test/message/rebuilding/*.test.ts'],
    atLeast: 90,
  },
  {
    name: 'gate',
    sources: ['lib/engines/disarm/gate.ts', 'lib/engines/disarm/kept.ts'],
    tests: ['test/engines/disarm/gate.test.ts', 'test/engines/disarm/gate-guards.test.ts'],
    atLeast: 90,
  },
  {
    name: 'inspect',
    sources: ['lib/engines/inspect'],
    tests: ['test/engines/inspect/*.test.ts', 'test/engines/disarm/metafile-records.test.ts'],
    atLeast: 90,
  },
  {
    name: 'server',
    sources: SERVER_GUARDS,
    tests: ['test/service/server-*.test.ts', 'test/service/listed-errors.test.ts'],
    atLeast: 90,
  },
  { name: 'storage', sources: ['lib/storage'], tests: ['test/storage/*.test.ts'], atLeast: 90 },
  { name: 'lambdas', sources: ['lambdas'], tests: ['test/lambdas/*.test.ts'], atLeast: 90 },
  { name: 'formats', sources: ['lib/formats'], tests: ['test/formats/**/*.test.ts'], atLeast: 75 },
  {
    name: 'reading',
    sources: ['reading', 'headers', 'encodings', 'signed', 'arc', 'model.ts'].map((name) => `lib/message/${name}`),
    tests: [
      'test/message/{read,recovered-parts,one-reading,charsets,names,name-checks,looks-like-email,text,yenc,signed}.test.ts',
      'test/message/rebuilding/{mime,root}-fields.test.ts',
      'test/pipeline/signed-mail.test.ts',
    ],
    atLeast: 75,
  },
  {
    name: 'containers',
    sources: ['lib/message/containers'],
    tests: ['test/message/containers/*.test.ts'],
    atLeast: 75,
  },
  {
    name: 'words',
    sources: ['lib/words', 'lib/message/banner'],
    tests: ['test/words/*.test.ts', 'test/message/banner.test.ts'],
    atLeast: 75,
  },
  {
    name: 'gateway',
    sources: ['lib/gateway'],
    tests: ['test/gateway/*.test.ts', 'test/local/gateway-*.test.ts'],
    atLeast: 75,
  },
  { name: 'desk', sources: ['lib/desk'], tests: ['test/desk/*.test.ts'], atLeast: 75 },
  { name: 'links', sources: ['lib/message/urls'], tests: ['test/message/urls-*.test.ts'], atLeast: 75 },
  {
    name: 'static',
    sources: ['lib/engines/static'],
    tests: ['test/engines/static-*.test.ts', 'test/engines/static/!(hostile|mutations).test.ts'],
    atLeast: 75,
  },
  {
    name: 'url',
    sources: ['lib/engines/url', 'lib/engines/url-report.ts'],
    tests: ['test/engines/url*.test.ts'],
    atLeast: 75,
  },
  {
    name: 'script',
    sources: ['lib/engines/script'],
    tests: ['test/engines/{sandbox*,script-*,seen-parts}.test.ts'],
    atLeast: 75,
  },
  {
    name: 'disarm',
    sources: ['lib/engines/disarm'],
    except: ['lib/engines/disarm/gate.ts', 'lib/engines/disarm/kept.ts'],
    tests: ['test/engines/disarm/!(corpus|gate*).test.ts'],
    atLeast: 75,
  },
  {
    name: 'engines',
    sources: ['lib/engines'],
    except: ['static', 'url', 'url-report.ts', 'script', 'disarm', 'inspect'].map((name) => `lib/engines/${name}`),
    tests: [
      'test/engines/{pool,stored-file,removal-reasons,pdf-library}.test.ts',
      'test/engines/disarm/{eml,archive,pdf}.test.ts',
    ],
    atLeast: 75,
  },
  {
    name: 'service',
    sources: ['lib/service'],
    except: SERVER_GUARDS,
    tests: ['test/service/**/*.test.ts'],
    atLeast: 75,
  },
  {
    name: 'jobs',
    sources: ['lib/jobs'],
    tests: ['test/jobs/*.test.ts', 'test/storage/sqs-jobs.test.ts'],
    atLeast: 75,
  },
  { name: 'infra', sources: ['lib/infra'], tests: ['test/infra/*.test.ts'], atLeast: 75 },
  { name: 'local', sources: ['lib/local'], tests: ['test/local/*.test.ts'], atLeast: 75 },
];

/** The room with this name. Throws TypeError with the names there are. */
export function roomNamed(name: string | undefined): Room {
  const room = ROOMS.find((each) => each.name === name);
  if (room === undefined) throw new TypeError(`The rooms are ${ROOMS.map((each) => each.name).join(', ')}.`);
  return room;
}

const isIn = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

/** The files of a room, in order. */
export function filesOf({ sources, except = [] }: Room): string[] {
  const found = sources.flatMap((source) =>
    /\.tsx?$/.test(source)
      ? [source]
      : readdirSync(source, { recursive: true, encoding: 'utf8' }).map((path) => `${source}/${path}`),
  );
  return found.filter((path) => /\.tsx?$/.test(path) && !isIn(path, except)).sort();
}
