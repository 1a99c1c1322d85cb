/**
 * The bundles of the Lambdas in tests. To make those of one stack takes a quarter of a minute of processor time, and many files synthesize
 * one. So each is made once in a run, and copied; a policy is put into the copy, as the package for the CDK does it. What a bundle is made of
 * does not change while tests run.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import * as real from '../../lib/infra/bundling/bundle.ts';
import { putPolicy } from '../../lib/infra/bundling/prebuilt.ts';

export { BUNDLE_FILE, HANDLER, LAMBDAS_DIR } from '../../lib/infra/bundling/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundles of the run. */
    readonly lambdaBundles: string;
  }
}

/** Takes what `bundle.ts` takes, and writes the same. */
export const bundleStage: typeof real.bundleStage = (stage, outDir, { policyJson, ...options } = {}) => {
  copyOf(stage, options, outDir, (made) => real.bundleStage(stage, made, options));
  putPolicy(stage, outDir, policyJson);
};

/** Takes what `bundle.ts` takes, and writes the same. */
export const bundleOtherLambda: typeof real.bundleOtherLambda = (name, outDir, { policyJson } = {}) => {
  copyOf(name, {}, outDir, (made) => real.bundleOtherLambda(name, made, { isOneOfAll: true }));
  putPolicy(name, outDir, policyJson);
};

function copyOf(name: string, options: object, outDir: string, make: (folder: string) => void): void {
  const folder = inject('lambdaBundles');
  const made = join(folder, `${name}-${createHash('sha256').update(JSON.stringify(options)).digest('hex')}`);
  if (!existsSync(made)) {
    mkdirSync(folder, { recursive: true });
    const draft = mkdtempSync(`${made}-`);
    make(draft);
    moveTo(made, draft);
  }
  cpSync(made, outDir, { recursive: true });
}

/** Two processes may make the same bundle at the same time: the first one counts. */
function moveTo(made: string, draft: string): void {
  try {
    renameSync(draft, made);
  } catch (error) {
    if (!existsSync(made)) throw error;
  }
}
