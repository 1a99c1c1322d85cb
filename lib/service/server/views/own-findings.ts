/** The findings of the engines of this project, with their names in a report, and with the techniques that they indicate. */
import { BEHAVIOUR_RULES, type BehaviourRuleId } from '../../../engines/script/findings.ts';
import { FINDING_IDS, type FindingId, finding } from '../../../engines/static/findings/findings.ts';
import { URL_RULES, type UrlRuleId } from '../../../engines/url/findings.ts';
import { VISIT_RULES } from '../../../engines/url/visit-rules.ts';
import { RULE_TEXTS } from './rule-texts.ts';
import { techniquesOf } from './techniques.ts';

/**
 * The codes by the origin of the findings: the modules for files, the text of a link, a visit to it, a run of a script, and the YARA rules.
 */
export interface OwnFindingIds {
  readonly file: FindingId;
  readonly link: UrlRuleId;
  readonly visit: keyof typeof VISIT_RULES;
  readonly script: BehaviourRuleId;
  readonly rule: keyof typeof RULE_TEXTS;
}

export interface OwnFinding {
  readonly by: keyof OwnFindingIds;
  readonly id: string;
  /** The name and the description, as a report has them without a place. */
  readonly text: string;
  /** The ids of techniques of MITRE ATT&CK, sorted. */
  readonly techniques: readonly string[];
}

interface Row {
  readonly name: string;
  readonly description: string;
  readonly techniques?: readonly string[];
}

const own = (by: OwnFinding['by'], id: string, { name, description, techniques = [] }: Row): OwnFinding => ({
  ...{ by, id, text: `${name}: ${description}` },
  techniques: [...new Set([...techniquesOf(id), ...techniques])].sort(),
});

const all = (by: OwnFinding['by'], rows: Readonly<Record<string, Row>>): OwnFinding[] =>
  Object.entries(rows).map(([id, row]) => own(by, id, row));

/** All of them. A file and a link can have the same code. */
export const OWN_FINDINGS: readonly OwnFinding[] = [
  ...FINDING_IDS.map((id) => own('file', id, finding(id))),
  ...all('link', URL_RULES),
  ...all('visit', VISIT_RULES),
  ...all('script', BEHAVIOUR_RULES),
  ...Object.entries(RULE_TEXTS).map(([id, [name, description, techniques]]) =>
    own('rule', id, { name, description, techniques }),
  ),
];
