/**
 * `npm run test:quick`: the tests that notice most mistakes for the least time, for use while one works. By measured time: the rules of
 * the layout, the whole flow over a scripted service, reading and rebuilding, what decides, the wire, storage and permissions.
 */
import { spawnSync } from 'node:child_process';

const QUICK = [
  'test/architecture',
  'test/pipeline/',
  'test/lambdas/',
  'test/storage/',
  'test/message/read.test.ts',
  'test/message/rebuild.test.ts',
  'test/message/names.test.ts',
  'test/message/clean-header.test.ts',
  'test/message/urls-defang.test.ts',
  'test/formats/file-type.test.ts',
  'test/formats/file-claims.test.ts',
  'test/engines/disarm/gate.test.ts',
  'test/engines/static/scoring.test.ts',
  'test/service/contract.test.ts',
  'test/service/analyzer.test.ts',
  'test/service/server-submissions.test.ts',
  'test/infra/least-privilege.test.ts',
];

/** Of these rooms what takes longest, and asks for what others ask for, too: archives, signatures and passwords through the whole flow, and DynamoDB. */
const NOT_QUICK = [
  'test/pipeline/password-mail.test.ts',
  'test/pipeline/returned-files.test.ts',
  'test/pipeline/signed-files.test.ts',
  'test/pipeline/signed-mail.test.ts',
  'test/pipeline/tables-and-tars.test.ts',
  'test/pipeline/web-archives.test.ts',
  'test/storage/dynamodb-runs.test.ts',
];

const args = ['run', ...QUICK, ...NOT_QUICK.flatMap((path) => ['--exclude', path])];
const { status } = spawnSync('vitest', args, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exitCode = status ?? 1;
