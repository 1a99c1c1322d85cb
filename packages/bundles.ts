/** Makes the bundles of the Lambdas for the package of the construct. Its users then need neither esbuild nor the repository. */
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOtherLambda, bundleStage } from '../lib/infra/bundling/bundle.ts';
import { PACKAGE_LIST, SHARED_PACKAGES } from '../lib/infra/bundling/prebuilt.ts';
import { OTHER_LAMBDAS } from '../lib/infra/other-lambdas.ts';
import { STAGE_NAMES } from '../lib/pipeline/model.ts';

/** Writes a folder for each Lambda into `folder`, and the packages of all of them once. */
export function writeBundles(folder: string): void {
  for (const stage of STAGE_NAMES) bundleStage(stage, join(folder, stage));
  for (const name of OTHER_LAMBDAS) bundleOtherLambda(name, join(folder, name), { isOneOfAll: true });
  for (const name of [...STAGE_NAMES, ...OTHER_LAMBDAS]) sharePackages(folder, name);
}

/** Several bundles need the same packages. libvips as WebAssembly alone has ten megabytes. */
function sharePackages(folder: string, name: string): void {
  const own = join(folder, name, 'node_modules');
  const packages = existsSync(own) ? packagesIn(own) : [];
  for (const each of packages)
    cpSync(join(own, each), join(folder, SHARED_PACKAGES, each), { recursive: true, force: false });
  rmSync(own, { recursive: true, force: true });
  writeFileSync(join(folder, name, PACKAGE_LIST), JSON.stringify(packages));
}

const packagesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  );
