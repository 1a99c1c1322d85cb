/** Every policy statement of a template, wherever it stands, and whether it allows an action on a resource. */
import { type Template, textOf } from './synth.ts';

export interface Statement {
  /** Logical id of the resource the statement stands in. */
  readonly where: string;
  /** Who gets the permission: logical ids of roles for identity policies, principals as text for resource policies. */
  readonly who: readonly string[];
  readonly effect: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly raw: Record<string, unknown>;
}

interface Document {
  readonly Statement: Record<string, unknown>[];
}

const list = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Array.isArray((value as Document).Statement);
}

/** Any object with a Statement counts as a policy, in whatever property of whatever resource it stands. */
export function statementsOf(template: Template): Statement[] {
  return Object.entries(template.Resources).flatMap(([id, resource]) => {
    const attached = list(resource.Properties?.Roles).map((role) => textOf(role).slice(1, -1));
    const self = resource.Type === 'AWS::IAM::Role' ? [id] : [];
    return documentsIn(resource.Properties).flatMap(({ path, document }) => {
      const isTrust = path.includes('AssumeRolePolicyDocument');
      return document.Statement.map((raw) => toStatement(id, isTrust ? [] : [...attached, ...self], raw));
    });
  });
}

/** The statements that give permissions. The policy of an endpoint gives none: it says what may pass that others gave. */
export function grantsOf(template: Template): Statement[] {
  return statementsOf(template).filter(({ where }) => template.Resources[where]?.Type !== 'AWS::EC2::VPCEndpoint');
}

function documentsIn(value: unknown, path: string[] = []): { path: string[]; document: Document }[] {
  if (isDocument(value)) return [{ path, document: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => documentsIn(child, [...path, key]));
}

function toStatement(where: string, roles: string[], raw: Record<string, unknown>): Statement {
  const principals = Object.entries((raw.Principal as Record<string, unknown>) ?? {}).flatMap(([kind, value]) =>
    typeof value === 'string' || !Array.isArray(value)
      ? [`${kind}:${textOf(value)}`]
      : value.map((v) => `${kind}:${textOf(v)}`),
  );
  return {
    where,
    who: principals.length > 0 ? principals : roles,
    effect: String(raw.Effect),
    actions: list(raw.Action).map(String),
    resources: list(raw.Resource).map(textOf),
    raw,
  };
}

/** IAM's wildcards: `*` any text, `?` one character. Actions are compared without case. */
function matches(pattern: string, value: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'is').test(value);
}

/** Whether an Allow statement covers one of the actions on one of the ways to write a resource. */
export function allows(statement: Statement, actions: readonly string[], resources: readonly string[]): boolean {
  if (statement.effect !== 'Allow') return false;
  if ('NotAction' in statement.raw || 'NotResource' in statement.raw) return true;
  const isAction = statement.actions.some((pattern) => actions.some((action) => matches(pattern, action)));
  return isAction && statement.resources.some((pattern) => resources.some((resource) => matches(pattern, resource)));
}
