/** Reads rules of YARA, and finds what a file must hold so that one of them can be reported. */
import { conditionNeed, type NamedNeed } from './condition-need.ts';
import { anyOf, type Need, NOTHING, NotUnderstood } from './need.ts';
import { type Token, tokensOf } from './rule-tokens.ts';
import { stringNeed } from './string-need.ts';

/**
 * Returns the need of all rules of a text that compiles. A rule whose condition is not understood needs nothing, and so does a text whose rules
 * cannot be told apart.
 */
export function rulesNeed(source: string): Need {
  return orNothing(() => {
    const reader = new Reader(tokensOf(source));
    const needs: Need[] = [];
    while (!reader.isAtEnd()) needs.push(...nextNeed(reader));
    return anyOf(needs);
  });
}

function orNothing(read: () => Need): Need {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotUnderstood) return NOTHING;
    throw error;
  }
}

/** Returns the need of the next rule. A private rule is never reported. */
function nextNeed(reader: Reader): Need[] {
  if (reader.takeIf('import')) {
    reader.take('text');
    return [];
  }
  let isPrivate = false;
  while (!reader.takeIf('rule')) {
    if (reader.takeIf('private')) isPrivate = true;
    else if (!reader.takeIf('global')) throw new NotUnderstood('a word between the rules');
  }
  const need = ruleNeed(reader);
  return isPrivate ? [] : [need];
}

function ruleNeed(reader: Reader): Need {
  reader.take('word');
  if (reader.takeIf(':')) while (reader.isNext('word')) reader.take('word');
  reader.takeSign('{');
  if (reader.takeIf('meta')) {
    reader.takeSign(':');
    while (!reader.isSection('strings') && !reader.isSection('condition')) reader.takeAny();
  }
  const strings = reader.takeIf('strings') ? stringsOf(reader) : [];
  if (!reader.takeIf('condition')) throw new NotUnderstood('a rule without a condition');
  reader.takeSign(':');
  const condition: Token[] = [];
  while (!reader.takeIf('}')) condition.push(reader.takeAny());
  return orNothing(() => conditionNeed(condition, strings));
}

function stringsOf(reader: Reader): NamedNeed[] {
  const strings: NamedNeed[] = [];
  reader.takeSign(':');
  while (!reader.isSection('condition')) {
    const name = reader.take('string').text;
    reader.takeSign('=');
    const value = reader.takeAny();
    strings.push({ name, need: stringNeed(value, modifiersOf(reader)) });
  }
  return strings;
}

function modifiersOf(reader: Reader): string[] {
  const modifiers: string[] = [];
  while (reader.isNext('word') && !reader.isSection('condition')) {
    modifiers.push(reader.take('word').text);
    if (reader.takeIf('(')) while (!reader.takeIf(')')) reader.takeAny();
  }
  return modifiers;
}

class Reader {
  #at = 0;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  isNext(kind: Token['kind']): boolean {
    return this.#tokens[this.#at]?.kind === kind;
  }

  /** Whether a section of this name begins here. */
  isSection(name: string): boolean {
    return this.#tokens[this.#at]?.text === name && this.#tokens[this.#at + 1]?.text === ':';
  }

  takeAny(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new NotUnderstood('a rule without an end');
    this.#at += 1;
    return token;
  }

  take(kind: Token['kind']): Token {
    const token = this.takeAny();
    if (token.kind !== kind) throw new NotUnderstood(`something else than a ${kind}`);
    return token;
  }

  takeSign(sign: string): void {
    if (!this.takeIf(sign)) throw new NotUnderstood(`something else than ${sign}`);
  }

  takeIf(text: string): boolean {
    if (this.#tokens[this.#at]?.text !== text) return false;
    this.#at += 1;
    return true;
  }
}
