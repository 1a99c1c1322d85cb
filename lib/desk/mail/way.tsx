/** @jsxRuntime automatic @jsxImportSource #markup */
/** The way of a mail: the servers on its way, their statements about its sender, its signatures, and its header line by line. */

import { wayIn } from '../../pipeline/contents/mail-way.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { type Markup, NOTHING } from '../../service/server/markup/jsx-runtime.ts';
import { code, section } from '../../service/server/report-page/elements.tsx';
import type { PageContext } from '../layout.tsx';
import { FEW_ROWS, limited } from '../pages/rows.tsx';
import { fitting } from '../pages/weight.ts';

const HEADER_CHARS = 16_000;
const LINES = 200;

const METHODS = { spf: 'authSpf', dkim: 'authDkim', dmarc: 'authDmarc', arc: 'authArc' } as const;
const RESULTS = {
  pass: 'authPass',
  fail: 'authFail',
  softfail: 'authSoftfail',
  neutral: 'authNeutral',
  none: 'authNone',
  temperror: 'authTemperror',
  permerror: 'authPermerror',
} as const;

const isOneOf = <T extends object>(names: T, name: string): name is keyof T & string => Object.hasOwn(names, name);

/** Returns the section about servers and checks. Returns nothing when the header has none. */
export function way({ words }: PageContext, untrustedHeader: string | null): Markup {
  const { hops, checks } = wayIn(untrustedHeader ?? '');
  if (hops.length + checks.length === 0) return NOTHING;
  const servers = hops.map(({ untrustedFrom, untrustedBy, untrustedAt }) => [untrustedFrom, untrustedBy, untrustedAt]);
  const said = checks.map(({ untrustedServer, untrustedMethod: method, untrustedResult: result }) => [
    isOneOf(METHODS, method) ? words[METHODS[method]] : method,
    isOneOf(RESULTS, result) ? words[RESULTS[result]] : result,
    untrustedServer,
  ]);
  return section(
    words.way,
    <p class="note">{words.wayNote}</p>,
    limited(words, [words.hopFrom, words.hopBy, words.at], servers, FEW_ROWS),
    limited(words, [words.authWhat, words.authResult, words.authServer], said, FEW_ROWS),
  );
}

/** Returns signatures of people, and the findings about them. */
export function signatures({ words }: PageContext, ledger: Ledger): Markup {
  const rows = ledger.signatures.map(({ kind, contentPath, result, untrustedSigner, detail }) => [
    contentPath,
    `${kind}: ${result}`,
    untrustedSigner ?? '',
    detail,
  ]);
  const columns = [words.part, words.authResult, words.signer, words.inDetail];
  return section(words.signatures, limited(words, columns, rows, FEW_ROWS));
}

/** Returns the header of the original. */
export function header(
  { words }: PageContext,
  untrustedHeader: string | null,
  bytes = Number.POSITIVE_INFINITY,
): Markup {
  if (untrustedHeader === null) return NOTHING;
  const lines = untrustedHeader
    .slice(0, HEADER_CHARS)
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .map((line) => (
      <>
        {code(line)}
        <br />
      </>
    ));
  const count = Math.min(
    LINES,
    fitting(lines, (line) => line, bytes),
  );
  const rest = lines.length - count;
  const more = rest > 0 ? <p class="more">+ {rest}</p> : NOTHING;
  return section(words.header, <p>{lines.slice(0, count)}</p>, more);
}
