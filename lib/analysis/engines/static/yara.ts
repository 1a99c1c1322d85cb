/** The rules of `rules/*.yar`, run by YARA-X (wasm) over the file and over what the modules unpacked from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Compiler, initSync, type Rules, type Scanner } from '@virustotal/yara-x';
import { EngineError, type Finding } from '../engine.ts';
import type { View } from './module.ts';

const RULES = new URL('./rules/', import.meta.url);
/** A rule whose pattern matches everywhere in a large file. */
const MAX_MATCHES_PER_PATTERN = 1_000;
/** Each scan has a fixed cost of 2 to 3 ms; a file of thousands of tiny streams would pay it thousands of times. The rest is scanned joined. */
const MAX_SINGLE_SCANS = 16;
/** Stands between joined views, so that a word at the start of one is still at the start of a word. */
const BETWEEN = Buffer.from('\n\0\n');

interface LoadedRules {
  readonly rules: Rules;
  readonly scanner: Scanner;
}

let loaded: LoadedRules | undefined;

/** Compiles the rules once per thread. Throws when a rule does not compile, which is a fault of ours and never of a file. */
export function loadRules(): Rules {
  return load().rules;
}

function load(): LoadedRules {
  if (loaded !== undefined) return loaded;
  const entry = createRequire(import.meta.url).resolve('@virustotal/yara-x/package.json');
  initSync({ module: readFileSync(join(dirname(entry), 'pkg', 'yara_x_js_bg.wasm')) });
  const compiler = new Compiler();
  for (const name of readdirSync(RULES).sort()) {
    if (name.endsWith('.yar')) compiler.addSource(readFileSync(new URL(name, RULES), 'utf8'));
  }
  const rules = compiler.build();
  compiler.free();
  loaded = { rules, scanner: rules.scanner() };
  loaded.scanner.setMaxMatchesPerPattern(MAX_MATCHES_PER_PATTERN);
  return loaded;
}

/**
 * Runs all rules over the views, the whole file first. One finding per rule, at the first view it matched.
 * Throws EngineError('timeout') when a scan takes longer than `timeoutMs`.
 */
export function scanViews(views: readonly View[], timeoutMs: number): Finding[] {
  const { scanner } = load();
  scanner.setTimeoutMs(timeoutMs);
  const found = new Map<string, Finding>();
  for (const view of joinRest(views)) {
    for (const match of scan(scanner, view)) {
      if (!found.has(match.id)) found.set(match.id, match);
    }
  }
  return [...found.values()];
}

function scan(scanner: Scanner, view: View): Finding[] {
  try {
    return matchesOf(scanner.scan(view.bytes)).map((rule) => toFinding(rule, view.where));
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

/** The part of YARA-X's answer that we read; the package types it as `any`. */
interface ScanAnswer {
  readonly matches: readonly RuleMatch[];
}

interface RuleMatch {
  readonly identifier: string;
  readonly isPrivate: boolean;
  readonly metadata: readonly { readonly identifier: string; readonly value: unknown }[];
}

function matchesOf(answer: ScanAnswer): RuleMatch[] {
  return answer.matches.filter((match) => !match.isPrivate);
}

/** Every rule carries `id`, `name`, `description`, `level` and `score`; the test over the rules proves it. */
function toFinding(rule: RuleMatch, where: string): Finding {
  const meta = new Map(rule.metadata.map(({ identifier, value }) => [identifier, value]));
  return {
    id: String(meta.get('id') ?? rule.identifier),
    name: String(meta.get('name') ?? rule.identifier),
    description: String(meta.get('description') ?? ''),
    level: meta.get('level') === 'malicious' ? 'malicious' : 'suspicious',
    score: Number(meta.get('score') ?? 0),
    where: where === '' ? null : where,
    rule: rule.identifier,
  };
}
