/**
 * Bundles Lambdas with esbuild in this process: no Docker, no network, and the same bytes for the same sources. The CDK constructs use it
 * at synth. The bench uses it, too, so it measures the deployed code.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { STAGE_NAMES, type StageName } from '../../pipeline/model.ts';
import { OTHER_LAMBDAS, type OtherLambda } from '../other-lambdas.ts';
import { bundleCodeWorker, bundleDrawWorker, bundleEngine } from './engines.ts';
import { bundleSecondLook } from './second-look-worker.ts';
import { bundleSignatureWorker } from './signature-worker.ts';
import { buildInTwoPasses, type Passes } from './two-passes.ts';
import { bundleUnpackWorker, WITH_OWN_URL } from './unpack-worker.ts';

export const LAMBDAS_DIR = fileURLToPath(new URL('../../../lambdas', import.meta.url));
/** The file and export that Lambda calls. */
export const HANDLER = 'index.handler';
export const BUNDLE_FILE = 'index.cjs';

export interface BundleOptions {
  /** A policy document (JSON) to put into the bundle. @default the policy as shipped */
  readonly policyJson?: string;
  /** `plain` is esbuild's own minified output for the same sources, for comparison. @default lean */
  readonly variant?: 'lean' | 'plain';
}

const shim = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Imports of mailparser that this pipeline never runs, or that Node replaces. Only mailparser's own imports are replaced. */
const MAILPARSER_ALIASES: Readonly<Record<string, string>> = {
  'encoding-japanese': shim('encoding-japanese.ts'),
  he: shim('he.ts'),
  'html-to-text': shim('html-to-text.ts'),
  'iconv-lite': shim('iconv-lite.ts'),
  'linkify-it': shim('linkify-it.cts'),
  tlds: shim('linkify-it.cts'),
};

const COMMON = {
  // Names of parts are hashes of a text that contains paths. So the paths begin at the same folder everywhere.
  absWorkingDir: dirname(LAMBDAS_DIR),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** ES modules come first. Only the used part of the AWS SDK is then kept, and it loads in half the time. */
const LEAN = { ...COMMON, mainFields: ['module', 'main'] } satisfies BuildOptions;

/** Imports that the Lambdas never use. */
const LAMBDA_ALIASES: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': shim('credentials.ts'),
  '@smithy/core/event-streams': shim('event-streams.ts'),
};
/** This module detects the browser. The SDK needs it in browsers only. */
const LAMBDA_EXTERNAL = ['bowser'];

/** Stages that load the client of an outside service, or of a queue, when a run needs it. */
const LOADS_LATER: readonly StageName[] = ['submit', 'poll', 'fetch'];
/** Lambdas that are bundled in a way of their own. */
const OWN_WAY: readonly OtherLambda[] = ['engine', 'preview'];

const entryOf = (name: string) => join(LAMBDAS_DIR, `${name}.ts`);
/** They have the options of `parse`, which every stack and package bundles first. */
const AS_PARSE = STAGE_NAMES.filter((stage) => !LOADS_LATER.includes(stage)).map(entryOf);
const OTHERS = OTHER_LAMBDAS.filter((name) => !OWN_WAY.includes(name)).map(entryOf);

/**
 * Writes the bundle of a stage into `outDir` as `BUNDLE_FILE`. For `parse` and `rebuild` it also writes the files of their threads. Throws
 * esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * bundleStage('decide', 'dist/decide', { policyJson: '{"version":1}' });
 * ```
 */
export function bundleStage(stage: StageName, outDir: string, options: BundleOptions = {}): void {
  const entry = entryOf(stage);
  const define = policyIn(options);
  if (stage === 'parse') {
    bundleUnpackWorker(outDir, LEAN);
    bundleSignatureWorker(outDir, LEAN);
    bundleCodeWorker(outDir, LEAN);
  }
  if (stage === 'rebuild') bundleSecondLook(outDir, LEAN);
  if (options.variant === 'plain') {
    const { banner } = WITH_OWN_URL;
    const plain = { ...COMMON, banner, define: { ...WITH_OWN_URL.define, ...define } };
    buildSync({ ...plain, entryPoints: [entry], outfile: join(outDir, BUNDLE_FILE) });
    return;
  }
  const siblings = stage === 'parse' ? AS_PARSE : [];
  buildWithMailparser({ entry, name: BUNDLE_FILE, define, isSplit: LOADS_LATER.includes(stage), siblings }, outDir);
}

/** mailparser is built apart, because esbuild's aliases are global and our own code needs the real linkify-it and tlds. */
function buildWithMailparser(passes: Omit<Passes, 'alias' | 'external'>, outDir: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'airlock-bundle-'));
  try {
    const mailparser = join(scratch, 'mailparser.cjs');
    writeFileSync(mailparser, mailparserCode());
    buildInTwoPasses({ ...passes, alias: { ...LAMBDA_ALIASES, mailparser }, external: LAMBDA_EXTERNAL }, outDir, LEAN);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

let builtMailparser: Uint8Array | undefined;

/** It is the same in all bundles. */
function mailparserCode(): Uint8Array {
  builtMailparser ??= buildSync({ ...LEAN, stdin: mailparserEntry(), alias: MAILPARSER_ALIASES, write: false })
    .outputFiles[0]?.contents;
  if (builtMailparser === undefined) throw new Error('esbuild made no mailparser');
  return builtMailparser;
}

/**
 * Writes the bundle of a lambda that is no stage into `outDir`. It contains the policy if the lambda reads one. With `isOneOfAll`, the
 * others are made with it: that is faster when they are asked for next. Throws esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * bundleOtherLambda('engine-failed', 'dist/engine-failed');
 * ```
 */
export function bundleOtherLambda(
  name: OtherLambda,
  outDir: string,
  options: Pick<BundleOptions, 'policyJson'> & { readonly isOneOfAll?: boolean } = {},
): void {
  const passes = { entry: entryOf(name), name: BUNDLE_FILE, alias: LAMBDA_ALIASES };
  if (name === 'preview') {
    bundleDrawWorker(outDir, LEAN);
    buildWithMailparser({ entry: passes.entry, name: BUNDLE_FILE }, outDir);
    return;
  }
  if (name === 'engine') bundleEngine({ ...passes, external: LAMBDA_EXTERNAL }, outDir, LEAN);
  else {
    const siblings = options.isOneOfAll === true ? OTHERS : [];
    buildInTwoPasses({ ...passes, define: policyIn(options), external: LAMBDA_EXTERNAL, siblings }, outDir, LEAN);
  }
}

function policyIn({ policyJson }: BundleOptions): Readonly<Record<string, string>> {
  return policyJson === undefined ? {} : { 'process.env.AIRLOCK_POLICY': JSON.stringify(policyJson) };
}

/** Only the streaming parser; the convenience wrapper around it is not used. */
function mailparserEntry() {
  return { contents: "exports.MailParser = require('mailparser').MailParser;", resolveDir: LAMBDAS_DIR };
}
