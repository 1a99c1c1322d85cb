/**
 * The simulation as one file, made of the sources: the stages as they are, with a memory around the functions that only compute, and with
 * a planted fault when a test asks for one. Nothing of this is in the product.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { memories } from './memo.ts';

export type SimulationModule = typeof import('./world.ts');

/** A fault in the product: in one file, some words become others. */
export interface PlantedFault {
  readonly name: string;
  /** The first seed from 1 on that found it, which is tried first to save time. A change of the product may make it another. */
  readonly seed: number;
  readonly file: string;
  readonly was: string;
  readonly becomes: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below node_modules, where the packages are found, which are not bundled. */
const FOLDER = join(ROOT, 'node_modules/.cache/simulation');

const SILENT_LOGGER = join(ROOT, 'test/simulation/silent-logger.ts');

/** Functions that only compute, by their files. They have a memory of this name in `memo.ts`. */
const REMEMBERED: Readonly<Record<string, readonly (keyof typeof memories)[]>> = {
  'lib/message/reading/read.ts': ['readMessage'],
  'lib/message/urls/find.ts': ['findUrls'],
  'lib/message/urls/header-urls.ts': ['readHeaderFacts'],
  'lib/pipeline/chain/chain.ts': ['checkedChain', 'putChain'],
  'lib/pipeline/chain/chain-text.ts': ['chainText'],
  'lib/pipeline/contents/leaves.ts': ['leafOfPartSteps'],
  'lib/pipeline/judging/kept-links.ts': ['linksNotKept'],
  'lib/pipeline/runs/row.ts': ['indexedRun'],
  'lib/formats/detection/file-type.ts': ['identifyFile'],
};

/**
 * Builds and loads the simulation. Throws when the words of the planted fault do not stand in its file exactly once. A bundle of another
 * name is another module, which remembers nothing of the first.
 */
export async function loadSimulation(planted?: PlantedFault, name = 'product'): Promise<SimulationModule> {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${process.pid}-${planted === undefined ? name : slug(planted.name)}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'test/simulation/world.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [changed(planted)],
  });
  return (await import(pathToFileURL(outfile).href)) as SimulationModule;
}

const slug = (name: string) => name.replace(/[^a-z]+/gi, '-');

function changed(planted: PlantedFault | undefined): Plugin {
  return {
    name: 'changed-sources',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@aws-lambda-powertools\/logger$/ }, () => ({ path: SILENT_LOGGER }));
      onLoad({ filter: /\/(lib|lambdas)\/.*\.ts$/ }, ({ path }) => {
        const file = relative(ROOT, path);
        let contents = readFileSync(path, 'utf8');
        if (planted?.file === file) contents = withFault(contents, planted);
        for (const name of REMEMBERED[file] ?? []) contents = withMemory(contents, name);
        return { loader: 'ts', contents };
      });
    },
  };
}

function withFault(source: string, { name, file, was, becomes }: PlantedFault): string {
  const parts = source.split(was);
  if (parts.length !== 2)
    throw new Error(`"${name}" cannot be planted: ${file} has its words ${parts.length - 1} times`);
  return parts.join(becomes);
}

function withMemory(source: string, name: string): string {
  const start = new RegExp(`export ((?:async )?function\\*? )(${name}\\()`);
  if (!start.test(source)) throw new Error(`${name} is no longer a function that can be remembered`);
  const memo = JSON.stringify(join(ROOT, 'test/simulation/memo.ts'));
  const rest = source.replace(start, '$1forgetful_$2');
  const memory = `memories_of_${name}`;
  return `import { memories as ${memory} } from ${memo};\n${rest}\nexport const ${name} = ${memory}.${name}(forgetful_${name});\n`;
}
