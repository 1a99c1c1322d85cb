/** Long test files begin first, so that at the end no core waits for one of them. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Beginnings of paths, longest first, as measured by `npm test -- --reporter=json`. Other files begin after them. */
const LONG = [
  'test/twin/desk.test.ts',
  'test/hostile/attack/sandbox',
  // Not beside the other one: each would make the bundles of the Lambdas for itself.
  'test/twin/twin.test.ts',
  'test/hostile/disarm/',
  'test/hostile/attack/',
  'test/hostile/mime/',
  'test/message/urls-find.test.ts',
  'test/engines/sandbox.test.ts',
  'test/local/cli.test.ts',
  'test/flow/',
  'test/engines/static/hostile.test.ts',
  'test/service/server-crash.test.ts',
  'test/engines/',
  'test/local/',
];

const rank = (path: string) => {
  const at = LONG.findIndex((beginning) => path.includes(`/${beginning}`));
  return at < 0 ? LONG.length : at;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rank(one.moduleId) - rank(other.moduleId));
  }
}
