/**
 * The bundles of the Lambdas in the package `@mail-airlock/cdk`. They were made with the package, and are copied at synth. This module
 * exports the same functions as bundle.ts. package.json says which of the two `#bundles` means.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StageName } from '../../pipeline/model.ts';
import type { OtherLambda } from '../other-lambdas.ts';

/** The folder of all bundles. */
export const LAMBDAS_DIR = fileURLToPath(new URL('../../../prebuilt', import.meta.url));
/** The file and export that Lambda calls. */
export const HANDLER = 'index.handler';

/** The packages of all bundles, once. npm drops folders with the name that packages have in a bundle. */
export const SHARED_PACKAGES = 'packages';
/** The names of the packages of a bundle. */
export const PACKAGE_LIST = 'packages.json';
/** The text in a bundle that is replaced by the policy. Without a policy, Lambda has no such variable, and the policy as shipped counts. */
const POLICY = 'process.env.AIRLOCK_POLICY';

/**
 * Copies the bundle of a stage into `outDir`, with the policy in it. Throws Error when the package was made without it.
 *
 * @example
 * ```ts
 * bundleStage('decide', 'cdk.out/decide', { policyJson: '{"version":1}' });
 * ```
 */
export function bundleStage(stage: StageName, outDir: string, options: { readonly policyJson?: string } = {}): void {
  copyBundle(stage, outDir);
  putPolicy(stage, outDir, options.policyJson);
}

/**
 * Copies the bundle of a Lambda that is no stage into `outDir`, with the policy in it. Throws as `bundleStage` does.
 *
 * @example
 * ```ts
 * bundleOtherLambda('engine-failed', 'cdk.out/engine-failed');
 * ```
 */
export function bundleOtherLambda(
  name: OtherLambda,
  outDir: string,
  options: { readonly policyJson?: string } = {},
): void {
  copyBundle(name, outDir);
  putPolicy(name, outDir, options.policyJson);
}

/**
 * Writes a policy (JSON) into the bundle of a Lambda, or leaves it as it is without one. Throws Error when the bundle reads no policy.
 *
 * @example
 * ```ts
 * putPolicy('decide', 'cdk.out/decide', '{"version":1}');
 * ```
 */
export function putPolicy(name: string, outDir: string, policyJson: string | undefined): void {
  if (policyJson === undefined) return;
  const policy = JSON.stringify(policyJson);
  const parts = readdirSync(outDir).filter((part) => part.endsWith('.cjs'));
  const codes = parts.map((part) => [join(outDir, part), readFileSync(join(outDir, part), 'utf8')] as const);
  const withPlace = codes.filter(([, code]) => code.includes(POLICY));
  if (withPlace.length === 0) throw new Error(`the bundle of ${name} has no place for a policy`);
  for (const [file, code] of withPlace)
    writeFileSync(
      file,
      code.replaceAll(POLICY, () => policy),
    );
}

function copyBundle(name: string, outDir: string): void {
  const from = join(LAMBDAS_DIR, name);
  const packages = JSON.parse(readFileSync(join(from, PACKAGE_LIST), 'utf8')) as string[];
  cpSync(from, outDir, { recursive: true, filter: (path) => path !== join(from, PACKAGE_LIST) });
  for (const each of packages)
    cpSync(join(LAMBDAS_DIR, SHARED_PACKAGES, each), join(outDir, 'node_modules', each), { recursive: true });
}
