/**
 * Whether AWS would allow a request, after the documented order: a Deny anywhere ends it; then, within one account, either the role's
 * policy or the resource's policy must allow it. A key is different: its own policy must allow it, or hand the decision to the account.
 */
import { conditionsHold, type RequestFacts } from './conditions.ts';
import type { Network } from './network.ts';
import type { Policies } from './policies.ts';
import type { Principals, Statement } from './statement.ts';
import { matches, matchesAction } from './wildcards.ts';

export interface Caller {
  /** The role, or null for a service of AWS. */
  readonly roleArn: string | null;
  /** `lambda.amazonaws.com`, or null for a role. */
  readonly service: string | null;
  /** From where it calls. @default from where everything can be reached */
  readonly network?: Network | null;
}

export interface PermissionRequest {
  readonly caller: Caller;
  readonly action: string;
  /** ARN of what is acted on; `*` where the action has no resource. */
  readonly resource: string;
  /** ARN of the bucket, queue or key whose policy counts, or null. */
  readonly owner: string | null;
  readonly facts: RequestFacts;
}

/** A permission as it stands in a template: one action on one resource. */
export interface Grant {
  readonly where: string;
  readonly action: string;
  readonly resource: string;
}

export type Decision =
  | { readonly allowed: true; readonly grants: readonly Grant[] }
  | { readonly allowed: false; readonly why: string };

/** Decides about one request. Throws UnknownToTwinError for conditions that the twin does not know. */
export function evaluate(policies: Policies, account: string, request: PermissionRequest): Decision {
  const { caller, owner } = request;
  const identity = caller.roleArn === null ? [] : about(policies.ofRole.get(caller.roleArn), request.action);
  const resource = owner === null ? [] : about(policies.ofResource.get(owner), request.action);
  const forCaller = resource.filter((one) => names(one.principals, caller, account) !== 'no');
  const applying = [...identity, ...forCaller].filter((one) => applies(one, request));
  const denied = applying.find(({ effect }) => effect === 'Deny');
  if (denied) return { allowed: false, why: `denied by ${denied.where}` };
  const allowing = applying.filter(({ effect }) => effect === 'Allow');
  const direct = allowing.filter((one) => one.principals && names(one.principals, caller, account) === 'caller');
  const handedOn = allowing.filter((one) => one.principals && names(one.principals, caller, account) === 'account');
  const own = allowing.filter((one) => one.principals === null);
  const isKey = owner?.startsWith('arn:aws:kms:') ?? false;
  if (isKey && direct.length === 0 && handedOn.length === 0)
    return { allowed: false, why: 'the policy of the key does not allow it' };
  const counting = [...direct, ...own];
  if (counting.length === 0) return { allowed: false, why: 'no statement allows it' };
  return { allowed: true, grants: [...counting, ...(isKey ? handedOn : [])].map((one) => grantOf(one, request)) };
}

/** Whether a statement of a resource's policy names the caller, its account (which hands the decision to the roles), or neither. */
function names(principals: Principals | null, caller: Caller, account: string): 'caller' | 'account' | 'no' {
  if (principals === null || principals.anyone) return 'caller';
  if (caller.service !== null) return principals.services.includes(caller.service) ? 'caller' : 'no';
  if (caller.roleArn !== null && principals.aws.includes(caller.roleArn)) return 'caller';
  return principals.aws.includes(`arn:aws:iam::${account}:root`) ? 'account' : 'no';
}

const NONE: readonly Statement[] = [];
/** By list of statements, and then by action. A call is about few of the statements of a policy. */
const known = new WeakMap<readonly Statement[], Map<string, readonly Statement[]>>();

/** The statements that are about an action, in their order. */
function about(statements: readonly Statement[] = NONE, action: string): readonly Statement[] {
  const byAction = known.get(statements) ?? new Map<string, readonly Statement[]>();
  known.set(statements, byAction);
  const found = byAction.get(action) ?? statements.filter((one) => isAbout(one, action));
  byAction.set(action, found);
  return found;
}

function isAbout({ actions, notActions }: Statement, action: string): boolean {
  const isAction = actions.some((one) => matchesAction(action, one));
  return isAction || (notActions.length > 0 && !notActions.some((one) => matchesAction(action, one)));
}

function applies(statement: Statement, { resource, facts }: PermissionRequest): boolean {
  const { resources, notResources } = statement;
  const isResource = resources.some((one) => matches(resource, one));
  const isNotResource = notResources.length > 0 && !notResources.some((one) => matches(resource, one));
  return (isResource || isNotResource) && conditionsHold(statement.conditions, facts);
}

function grantOf(statement: Statement, { action, resource }: PermissionRequest): Grant {
  return {
    where: statement.where,
    action: statement.actions.find((one) => matchesAction(action, one)) ?? '*',
    resource: statement.resources.find((one) => matches(resource, one)) ?? '*',
  };
}

/** Every permission that the roles have, one by one. */
export function grantsOfRoles({ ofRole }: Policies): Grant[] {
  return [...ofRole.values()]
    .flat()
    .filter(({ effect }) => effect === 'Allow')
    .flatMap(({ where, actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => ({ where, action, resource }))),
    );
}
