/**
 * Runs the rules of `rules/*.yar` and of the operator with YARA-X (wasm) over the file and over the content that the modules unpacked from
 * it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Compiler, initSync, type Rules, type Scanner } from '@virustotal/yara-x';
import { type Memory, remembered } from '../../../formats/remembered.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { ENGINE_VERSIONS } from '../../engine-versions.ts';
import { asFact } from '../findings/findings.ts';
import type { View } from '../findings/module.ts';
import { withReleasedInstances } from './instance-release.ts';
import { type RuleProblem, readOperatorRules } from './operator-rules.ts';
import { prefilterOf } from './prefilter/prefilter.ts';

const RULES = new URL('./rules/', import.meta.url);
/** The most matches of one pattern. A pattern can match everywhere in a large file. */
const MAX_MATCHES_PER_PATTERN = 1_000;
/**
 * The most views that are scanned one by one. A scan costs at least 2 to 3 ms, so the other views of a file are joined and scanned once.
 */
const MAX_SINGLE_SCANS = 16;
/** The bytes between joined views, so that the first word of a view is still at the start of a line. */
const BETWEEN = Buffer.from('\n\0\n');

/** Larger files take longer to hash, and they are seldom the same. */
const MAX_REMEMBERED_BYTES = 256 * 1024;
/** A scan costs milliseconds for any bytes, and mails repeat files: a logo, a footer, a note in each archive. */
const SMALL_FILES: Memory<Uint8Array> = {
  most: 2_000,
  keyOf: (bytes) =>
    bytes.byteLength > MAX_REMEMBERED_BYTES ? null : createHash('sha256').update(bytes).digest('base64'),
};

interface LoadedRules {
  readonly rules: Rules;
  readonly scanner: Scanner;
  /** Returns findings without their place. Throws EngineError `timeout`. */
  readonly scan: (bytes: Uint8Array) => readonly Finding[];
  readonly version: string;
  readonly problems: readonly RuleProblem[];
}

let isInitialised = false;
let operatorFolder: string | null = null;
let loaded: LoadedRules | undefined;

/** Sets the folder of the operator's rules, or null for none. Another folder makes the rules compile again. */
export function useRulesOf(folder: string | null): void {
  if (folder === operatorFolder) return;
  operatorFolder = folder;
  loaded?.scanner.free();
  loaded?.rules.free();
  loaded = undefined;
}

/** Compiles the rules once per thread. Throws when a rule of this project does not compile. */
export function loadRules(): Rules {
  return load().rules;
}

/** Returns rules of the operator that do not compile, and why. */
export function ruleProblems(): readonly RuleProblem[] {
  return load().problems;
}

/** Returns the version of the engine and of all its rules. It changes with every rule. */
export function staticEngineVersion(): string {
  return load().version;
}

function load(): LoadedRules {
  if (loaded !== undefined) return loaded;
  initialise();
  const own = readdirSync(RULES)
    .filter((name) => name.endsWith('.yar'))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, RULES), 'utf8') }));
  const operator = operatorFolder === null ? { sources: [], problems: [] } : readOperatorRules(operatorFolder);
  const compiler = new Compiler();
  for (const { text } of own) compiler.addSource(text);
  // Each file has its own namespace, because a rule may have the name of another one.
  for (const { name, text } of operator.sources) {
    compiler.newNamespace(name);
    compiler.addSource(text);
  }
  const rules = compiler.build();
  compiler.free();
  const scanner = rules.scanner();
  scanner.setMaxMatchesPerPattern(MAX_MATCHES_PER_PATTERN);
  const mayMatch = prefilterOf([...own, ...operator.sources].map(({ text }) => text));
  const scanOrKnow = remembered(SMALL_FILES, (bytes) => scan(scanner, bytes));
  loaded = {
    rules,
    scanner,
    scan: (bytes) => (mayMatch(bytes) ? scanOrKnow(bytes) : []),
    version: versionOf([...own, ...operator.sources]),
    problems: operator.problems,
  };
  return loaded;
}

function initialise(): void {
  if (isInitialised) return;
  const entry = createRequire(import.meta.url).resolve('@virustotal/yara-x/package.json');
  initSync({ module: readFileSync(join(dirname(entry), 'pkg', 'yara_x_js_bg.wasm')) });
  isInitialised = true;
}

function versionOf(sources: readonly { readonly name: string; readonly text: string }[]): string {
  const hash = createHash('sha256');
  for (const { name, text } of sources) hash.update(`${name}\0${text}\0`);
  return `${ENGINE_VERSIONS.static}+rules.${hash.digest('hex').slice(0, 12)}`;
}

/**
 * Runs all rules over the views, the whole file first. A rule makes one finding, at the first view that it matches. Throws EngineError
 * `timeout` when a scan takes longer than `timeoutMs`.
 */
export function scanViews(views: readonly View[], timeoutMs: number): Finding[] {
  const rules = load();
  rules.scanner.setTimeoutMs(timeoutMs);
  const found = new Map<string, Finding>();
  for (const { bytes, where, explained } of joinRest(views)) {
    for (const seen of rules.scan(bytes)) {
      const match = explained?.includes(seen.id) ? asFact(seen) : seen;
      const known = found.get(match.id);
      // Two files of the operator may have a rule of the same name: the worse word counts.
      if (known === undefined || isWorse(match, known)) found.set(match.id, where === '' ? match : { ...match, where });
    }
  }
  return [...found.values()];
}

const RANKS: readonly Finding['level'][] = ['benign', 'suspicious', 'malicious'];
const isWorse = (one: Finding, other: Finding) =>
  one.level === other.level ? one.score > other.score : RANKS.indexOf(one.level) > RANKS.indexOf(other.level);

function scan(scanner: Scanner, bytes: Uint8Array): Finding[] {
  try {
    return matchesOf(withReleasedInstances(() => scanner.scan(bytes))).map(toFinding);
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message))
      throw new EngineError('timeout', 'the rules took too long');
    throw error;
  }
}

function joinRest(views: readonly View[]): readonly View[] {
  if (views.length <= MAX_SINGLE_SCANS) return views;
  const rest = views.slice(MAX_SINGLE_SCANS - 1);
  const joined = { where: rest[0]?.where ?? '', bytes: Buffer.concat(rest.flatMap((view) => [view.bytes, BETWEEN])) };
  return [...views.slice(0, MAX_SINGLE_SCANS - 1), joined];
}

/** The part of YARA-X's answer that is read here. The package types it as `any`. */
interface ScanAnswer {
  readonly matches: readonly RuleMatch[];
}

interface RuleMatch {
  readonly identifier: string;
  /** `default` for the rules of this project, the path of its file for one of the operator. */
  readonly namespace: string;
  readonly isPrivate: boolean;
  readonly metadata: readonly { readonly identifier: string; readonly value: unknown }[];
}

function matchesOf(answer: ScanAnswer): RuleMatch[] {
  return answer.matches.filter((match) => !match.isPrivate);
}

const OWN_RULES = 'default';
const MAX_TEXT = 300;
/** The score of an operator's rule that names none. */
const DEFAULT_SCORE = 50;
const MALICIOUS_SCORE = 90;

/**
 * Returns the finding of a rule. Every rule of this project has `id`, `name`, `description`, `level` and `score`, as a test ensures. A rule
 * of an operator has its name as its id, and its file before its name. It is suspicious unless it says `level = "malicious"`.
 */
function toFinding(rule: RuleMatch): Finding {
  const meta = new Map(rule.metadata.map(({ identifier, value }) => [identifier, value]));
  const isMalicious = meta.get('level') === 'malicious';
  const score = Number(meta.get('score') ?? (isMalicious ? MALICIOUS_SCORE : DEFAULT_SCORE));
  const techniques = String(meta.get('technique') ?? '').match(/T\d{4}(?:\.\d{3})?/g) ?? [];
  return {
    id: String(meta.get('id') ?? rule.identifier).slice(0, MAX_TEXT),
    name: String(meta.get('name') ?? rule.identifier).slice(0, MAX_TEXT),
    description: String(meta.get('description') ?? 'A rule of the operator matched.').slice(0, MAX_TEXT),
    level: isMalicious ? 'malicious' : 'suspicious',
    score: Number.isFinite(score) ? Math.min(100, Math.max(0, score)) : DEFAULT_SCORE,
    ...(techniques.length > 0 && { techniques }),
    where: null,
    rule: rule.namespace === OWN_RULES ? rule.identifier : `${rule.namespace}:${rule.identifier}`.slice(0, MAX_TEXT),
  };
}
