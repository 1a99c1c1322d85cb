/** The one gate through which every call goes. It remembers what was denied, and which permissions were used. */
import type { RequestFacts } from './conditions.ts';
import { type Caller, evaluate, type Grant, grantsOfRoles } from './evaluate.ts';
import { ADMINISTRATOR, type Policies } from './policies.ts';

export interface Need {
  readonly action: string;
  readonly resource: string;
  /** ARN of the bucket, queue or key whose own policy counts. @default none */
  readonly owner?: string;
  readonly facts?: RequestFacts;
}

export interface Denial {
  readonly who: string;
  readonly action: string;
  readonly resource: string;
  readonly why: string;
}

/** Our loopback has no TLS. Every client of AWS speaks it, so that is what the policies are told. */
const TRANSPORT: RequestFacts = { 'aws:SecureTransport': 'true', 's3:TlsVersion': '1.3' };

const idOf = ({ where, action, resource }: Grant) => `${where} ${action} ${resource}`;

export class Gate {
  readonly denials: Denial[] = [];
  private readonly used = new Set<string>();
  private readonly policies: Policies;
  private readonly account: string;

  constructor(policies: Policies, account: string) {
    this.policies = policies;
    this.account = account;
  }

  /** Whether everything that a call needs is allowed. A denial is remembered unless `isExpected`. */
  allows(caller: Caller, needs: readonly Need[], isExpected = false): boolean {
    return needs.every((need) => this.allowsOne(caller, need, isExpected));
  }

  /** Whether a service of AWS may take a role. */
  mayAssume(service: string, roleArn: string, facts: RequestFacts = {}): boolean {
    const trust = { ofRole: new Map(), trust: new Map(), ofResource: this.policies.trust };
    // A trust policy names no resource: it is about the role that it stands in.
    const statements = (this.policies.trust.get(roleArn) ?? []).map((one) => ({ ...one, resources: ['*'] }));
    const policies = { ...trust, ofResource: new Map([[roleArn, statements]]) };
    const caller = { roleArn: null, service };
    const request = {
      caller,
      action: 'sts:AssumeRole',
      resource: roleArn,
      owner: roleArn,
      facts: { ...TRANSPORT, ...facts },
    };
    return evaluate(policies, this.account, request).allowed;
  }

  /** Permissions of roles that no call used. */
  unused(): Grant[] {
    const seen = new Set<string>();
    return grantsOfRoles(this.policies).filter((grant) => {
      const id = idOf(grant);
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew && grant.where !== ADMINISTRATOR && !this.used.has(id);
    });
  }

  private allowsOne(caller: Caller, need: Need, isExpected: boolean): boolean {
    const { action, resource, owner = null } = need;
    const facts = {
      ...TRANSPORT,
      ...(caller.roleArn === null ? {} : { 'aws:PrincipalArn': caller.roleArn, 'aws:PrincipalAccount': this.account }),
      ...need.facts,
    };
    const blocked = caller.network?.blocks(caller.roleArn ?? '', need) ?? null;
    if (blocked !== null) {
      // Nobody expects a call that cannot be made: in AWS it would wait for its timeout.
      this.denials.push({ who: caller.roleArn ?? '?', action, resource, why: blocked });
      return false;
    }
    const decision = evaluate(this.policies, this.account, { caller, action, resource, owner, facts });
    if (decision.allowed) for (const grant of decision.grants) this.used.add(idOf(grant));
    else if (!isExpected)
      this.denials.push({ who: caller.roleArn ?? caller.service ?? '?', action, resource, why: decision.why });
    return decision.allowed;
  }
}
