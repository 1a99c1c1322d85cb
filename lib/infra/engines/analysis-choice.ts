import { KINDS, type Kind } from '../../pipeline/model.ts';

/** The analysts of a kind: the engines of the stack, or the service at `analysisUrl`. */
export const ANALYSTS = ['engines', 'service'] as const;
export type Analyst = (typeof ANALYSTS)[number];

/** The props that choose the analysts. */
export interface ChoiceProps {
  readonly analysis?: Readonly<Partial<Record<Kind, Analyst>>>;
  readonly analysisUrl?: string;
  readonly cdrUrl?: string;
  readonly apiKeySecret?: object;
  readonly cdrTokenSecret?: object;
  readonly engineVpc?: { readonly isolatedSubnets: readonly object[]; readonly privateSubnets: readonly object[] };
  readonly visitUrls?: boolean;
}

/**
 * Returns the analyst of each kind of analysis. The default is the service if there is one, otherwise the engines.
 *
 * @example
 * ```ts
 * analystsOf({}).static; // => 'engines'
 * analystsOf({ analysisUrl: 'https://analysis.example', analysis: { static: 'engines' } }).cdr; // => 'service'
 * ```
 */
export function analystsOf({ analysis = {}, analysisUrl }: ChoiceProps): Readonly<Record<Kind, Analyst>> {
  const usual: Analyst = analysisUrl === undefined ? 'engines' : 'service';
  const rows = KINDS.map((kind) => [kind, analysis[kind] ?? usual] as const);
  return Object.fromEntries(rows) as Record<Kind, Analyst>;
}

/**
 * Returns the kinds that an analyst does, in the order of KINDS.
 *
 * @example
 * ```ts
 * kindsOf({ analysisUrl: 'https://analysis.example', analysis: { static: 'engines' } }, 'engines'); // => ['static']
 * ```
 */
export function kindsOf(props: ChoiceProps, analyst: Analyst): Kind[] {
  const analysts = analystsOf(props);
  return KINDS.filter((kind) => analysts[kind] === analyst);
}

/**
 * Returns the contradictions between the props, one sentence each.
 *
 * @example
 * ```ts
 * choiceIssues({}); // => []
 * choiceIssues({ analysis: { static: 'service' } }).length; // => 1
 * ```
 */
export function choiceIssues(props: ChoiceProps): string[] {
  const { analysisUrl, cdrUrl } = props;
  const ofService = kindsOf(props, 'service');
  const issues: string[] = [];
  if (analysisUrl === undefined && ofService.length > 0)
    issues.push(`analysis: ${ofService.join(', ')} is done by the service, so say where it is with analysisUrl`);
  if (analysisUrl !== undefined && ofService.length === 0)
    issues.push(
      'analysisUrl: the engines do every kind of analysis, so nothing would use it; leave one of the two out',
    );
  if (cdrUrl !== undefined && !ofService.includes('cdr'))
    issues.push('cdrUrl: the engines disarm, so nothing would use it; set analysisUrl, and cdr to service');
  if (props.apiKeySecret !== undefined && analysisUrl === undefined)
    issues.push('apiKeySecret: it is the key of a service, and there is no analysisUrl');
  if (props.cdrTokenSecret !== undefined && cdrUrl === undefined)
    issues.push('cdrTokenSecret: it is the token of a CDR service, and there is no cdrUrl');
  if (props.engineVpc !== undefined && props.engineVpc.isolatedSubnets.length === 0)
    issues.push('engineVpc: it has no isolated subnets; the engines read hostile files where no way leads out');
  if (props.visitUrls === true && ofService.includes('url_analysis'))
    issues.push('visitUrls: the service analyses URLs, so it decides whether it visits them; leave visitUrls out');
  if (props.visitUrls === true && props.engineVpc?.privateSubnets.length === 0)
    issues.push('visitUrls: engineVpc has no private subnets with a way out, from which pages could be opened');
  return issues;
}
