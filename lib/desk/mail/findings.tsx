/** @jsxRuntime automatic @jsxImportSource #markup */
/** The findings in a mail: why it was held, its oddities, the findings in its files and links, and the analyses that were not asked for. */

import { notAskedOf } from '../../pipeline/analysis/not-asked.ts';
import type { UrlArtifact } from '../../pipeline/ledger/artifact.ts';
import { linksOf } from '../../pipeline/ledger/artifacts-of.ts';
import type { FoundUrl, Ledger } from '../../pipeline/ledger/ledger.ts';
import { BY_SEVERITY } from '../../pipeline/model.ts';
import { WHY_OF_CODE } from '../../pipeline/rebuilding/why-words.ts';
import { artifactName, reasonText } from '../../pipeline/runs/sentence.ts';
import { address, type Markup, NOTHING } from '../../service/server/markup/jsx-runtime.ts';
import { code, section } from '../../service/server/report-page/elements.tsx';
import { whyOf } from '../../words/in-language.ts';
import { type DeskLanguage, type DeskWords, oddWords } from '../desk-words.ts';
import { asSigned, signedText, techniqueLine } from '../findings/signed-text.tsx';
import type { PageContext } from '../layout.tsx';
import { FEW_ROWS, limited, ROWS, stacked } from '../pages/rows.tsx';
import { policyRow } from '../policy-row.ts';
import { runWords } from '../sentence.ts';
import { verdictBadge } from '../verdict-badge.ts';

const FINDINGS = 30;

/** Returns why it was held: for everybody, and as it was signed. */
export function reasons({ words, language }: PageContext, ledger: Ledger, bytes?: number): Markup {
  const rows = ledger.reasons.map(({ code: name, text }) => [
    <>
      {whyOf(language, WHY_OF_CODE[name], 'message')}
      <br />
      <small>{code(name)}</small>
    </>,
    asSigned(language, reasonText(ledger, text)),
  ]);
  return section(words.reasons, limited(words, [words.inPlainWords, words.inDetail], rows, FEW_ROWS, bytes));
}

/** Returns where programs would read it differently, and the parts that were not examined. */
export function oddities({ words, language }: PageContext, { warnings }: Ledger, bytes?: number): Markup {
  const rows = warnings.map(({ code: name, path, detail }) => [
    <>
      {oddWords(language)[name]}
      <br />
      <small>{code(name)}</small>
    </>,
    path ?? words.roleMessage,
    asSigned(language, detail),
  ]);
  return section(words.odd, limited(words, [words.inPlainWords, words.part, words.inDetail], rows, FEW_ROWS, bytes));
}

/**
 * Returns the findings in files; where there is no room for all, the worst first. Names of findings come from the service, so they are
 * untrusted.
 */
export function findings({ words, language }: PageContext, ledger: Ledger, bytes = Number.POSITIVE_INFINITY): Markup {
  const files = ledger.artifacts.filter(({ type, reasons: found }) => type === 'file' && found.length > 0);
  if (files.length > ROWS || bytes !== Number.POSITIVE_INFINITY)
    files.sort((one, other) => BY_SEVERITY.indexOf(one.verdict) - BY_SEVERITY.indexOf(other.verdict));
  const rows = files.map((artifact) => [
    artifactName(ledger, artifact, runWords(language)),
    verdictBadge(words, artifact.verdict),
    found(language, artifact.reasons),
  ]);
  const note =
    words.findingsLanguage === '' || rows.length === 0 ? NOTHING : <p class="note">{words.findingsLanguage}</p>;
  return section(words.findings, note, limited(words, [words.name, words.verdict, words.findings], rows, ROWS, bytes));
}

/** Returns findings one below the other, in the language of the page, and the techniques that they are signs of. */
function found(language: DeskLanguage, reasons: readonly string[]): Markup {
  const few = reasons.slice(0, FINDINGS);
  return (
    <>
      {stacked(few.map((reason) => signedText(language, reason)))}
      {techniqueLine(few)}
    </>
  );
}

/** Returns the files without an analysis, because its budget was kept for others. */
export function unasked({ words, language }: PageContext, ledger: Ledger): Markup {
  const rows = notAskedOf(ledger).map(({ artifact, kind, why }) => [
    artifactName(ledger, artifact, runWords(language)),
    kind,
    asSigned(language, why),
  ]);
  const columns = [words.name, words.analysis, words.reason];
  return rows.length === 0 ? NOTHING : section(words.notAsked, limited(words, columns, rows, ROWS));
}

/**
 * Returns the links with their targets: the addresses behind services that rewrote them, the addresses of a visit, and the address that
 * their text shows.
 */
export function links({ words, language }: PageContext, ledger: Ledger, bytes?: number): Markup {
  const places = new Map<string, FoundUrl[]>();
  for (const found of ledger.urls) {
    const known = places.get(found.artifactId);
    if (known === undefined) places.set(found.artifactId, [found]);
    else known.push(found);
  }
  const rows = linksOf(ledger).map((link) => [
    <>
      {address(link.untrustedUrl)}
      {ways(words, link, places.get(link.id) ?? [])}
    </>,
    verdictBadge(words, link.verdict),
    <span class="state">{link.disposition === null ? words.undecided : words[link.disposition]}</span>,
    <>
      {found(language, link.reasons)}
      <br />
      <small>{code(policyRow(link))}</small>
    </>,
  ]);
  return section(
    words.links,
    limited(words, [words.address, words.verdict, words.disposition, words.findings], rows, ROWS, bytes),
  );
}

/** Returns addresses, of which each leads to the next. */
const chained = (urls: readonly string[]): Markup[] =>
  urls.map((url, at) => (
    <>
      {at === 0 ? NOTHING : ' → '}
      {address(url)}
    </>
  ));

function ways(words: DeskWords, { untrustedUrl, submissions }: UrlArtifact, found: readonly FoundUrl[]): Markup {
  const shown = [...new Set(found.flatMap(({ untrustedShown }) => untrustedShown ?? []))].slice(0, 2);
  const through = found
    .filter(({ unwrapped }) => unwrapped.length > 0)
    .flatMap(({ normalised, unwrapped }) => [[normalised, ...unwrapped]])
    .find((chain) => chain.includes(untrustedUrl));
  const rewritten =
    through === undefined ? (
      NOTHING
    ) : (
      <>
        <br />
        <small>
          {words.rewritten} {chained(through)}
        </small>
      </>
    );
  const texts = shown.map((text) => (
    <>
      <br />
      <small>
        {words.linkShows} {address(text)}
      </small>
    </>
  ));
  const ledOn = submissions.flatMap(({ untrustedRedirects = [] }) => untrustedRedirects);
  const visited =
    ledOn.length === 0 ? (
      NOTHING
    ) : (
      <>
        <br />
        <small>
          {words.redirected} {chained(ledOn)}
        </small>
      </>
    );
  return (
    <>
      {rewritten}
      {visited}
      {texts}
    </>
  );
}
