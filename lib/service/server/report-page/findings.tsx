/** @jsxRuntime automatic @jsxImportSource #markup */
/** The findings of one report: what was found, why it matters, and where it is. */

import { type Markup, NOTHING, shown } from '../markup/jsx-runtime.ts';
import type { StoredFinding, StoredReport } from '../store/submissions.ts';
import { techniqueText } from '../views/technique-names.ts';
import { techniquesOf } from '../views/techniques.ts';
import { badge, code, more, NOTED, scoreBar } from './elements.tsx';

/** Most findings on the page: a file can be made to match every rule at every place. */
const FINDINGS = 100;
/** Characters of evidence that are shown for one finding. */
const EVIDENCE_CHARS = 1_200;
const TECHNIQUES = 12;

const RANK = { malicious: 0, suspicious: 1, benign: 2 } as const;

/** Returns the findings as cards, the worst first. */
export function findingCards({ findings }: StoredReport): Markup {
  if (findings.length === 0) return NOTHING;
  const sorted = [...findings].sort((a, b) => RANK[a.level] - RANK[b.level] || b.score - a.score);
  return (
    <>
      {sorted.slice(0, FINDINGS).map(card)}
      {more(Math.min(FINDINGS, sorted.length), sorted.length)}
    </>
  );
}

function card(finding: StoredFinding): Markup {
  const { id, name, level, score, where = null, evidence = null, rule } = finding;
  const techniques = techniquesOfFinding(finding).slice(0, TECHNIQUES);
  const isSign = level === 'malicious' || level === 'suspicious';
  return (
    <article class={`finding ${isSign ? level : 'unknown'}`}>
      <header>
        {isSign ? badge(level) : NOTED} <strong>{name}</strong> {scoreBar(score)}
      </header>
      <p>{description(finding)}</p>
      {where === null || where === evidence ? (
        NOTHING
      ) : (
        <p class="line">
          <span>Where</span> {code(where)}
        </p>
      )}
      {evidence === null ? (
        NOTHING
      ) : (
        <p class="line">
          <span>Seen</span> {code(shown(evidence, EVIDENCE_CHARS))}
        </p>
      )}
      <p class="tags">
        <i>{id}</i>
        {rule === null ? NOTHING : <i>YARA {rule}</i>}
        {techniques.map((technique) => (
          <i class="technique">{techniqueText(technique)}</i>
        ))}
      </p>
    </article>
  );
}

/** The description ends with the place, for clients that read nothing else. On this page the place has its own line. */
function description({ description: text, where }: StoredFinding): string {
  const end = ` (${where})`;
  return where !== undefined && text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Returns the ATT&CK techniques of a finding, sorted and without repeats. */
export const techniquesOfFinding = ({ id, techniques = [] }: StoredFinding): string[] =>
  [...new Set([...techniquesOf(id), ...techniques])].sort();
