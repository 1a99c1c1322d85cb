/**
 * The networks of functions: subnets, route tables, gateway endpoints with their policies, security groups. A function outside of a VPC
 * reaches everything. One in a VPC reaches what the routes of each of its subnets lead to, and no route leads out of the VPCs that the
 * twin knows: the type of resource for such a route is refused.
 */
import type { Assembly, Resource } from '../assembly/assembly.ts';
import { unknown } from '../assembly/refuse.ts';
import { evaluate } from './evaluate.ts';
import type { Need } from './gate.ts';
import { type Statement, statementsOf } from './statement.ts';

/** What a function can reach. */
export interface Network {
  /** Why a call cannot be made from here, or null. */
  blocks(roleArn: string, need: Need): string | null;
}

interface Endpoint {
  readonly id: string;
  /** As in the names of actions: `s3`. */
  readonly service: string;
  readonly routeTables: readonly string[];
  readonly statements: readonly Statement[];
}

const HTTPS = 443;

/** The network of a function; null when it is in none. Throws UnknownToTwinError. */
export function networkOf(assembly: Assembly, { properties, name }: Resource): Network | null {
  const config = properties.VpcConfig as
    | { readonly SubnetIds: readonly string[]; readonly SecurityGroupIds: readonly string[] }
    | undefined;
  if (config === undefined) return null;
  const endpoints = assembly.of('AWS::EC2::VPCEndpoint').map(endpointOf);
  const tables = config.SubnetIds.map((subnet) => tableOf(assembly, subnet));
  const isOpen = config.SecurityGroupIds.some((id) => letsOut(assembly, id));
  return {
    blocks(roleArn, need) {
      // S3 asks KMS itself, from its own network.
      if (need.facts?.['kms:ViaService'] !== undefined) return null;
      if (!isOpen) return `the security groups of ${name} let nothing out on port ${HTTPS}`;
      const [service] = need.action.split(':');
      for (const table of tables) {
        const there = endpoints.filter((one) => one.service === service && one.routeTables.includes(table));
        if (there.length === 0) return `no route leads from ${name} to ${service}`;
        if (!there.some((one) => isAllowed(one, assembly.place.account, roleArn, need)))
          return `the endpoint of ${service} does not let ${name} do this`;
      }
      return null;
    },
  };
}

function endpointOf({ logicalId, properties }: Resource): Endpoint {
  if (properties.VpcEndpointType !== 'Gateway') unknown('type of endpoint', properties.VpcEndpointType);
  const [, service = ''] = /^com\.amazonaws\.[a-z0-9-]+\.(s3|dynamodb)$/.exec(String(properties.ServiceName)) ?? [];
  if (service === '') unknown('service of an endpoint', properties.ServiceName);
  const routeTables = (properties.RouteTableIds ?? []) as readonly string[];
  // Without a policy, an endpoint lets everything through.
  if (properties.PolicyDocument === undefined) unknown('endpoint without a policy', logicalId);
  return { id: logicalId, service, routeTables, statements: statementsOf(logicalId, properties.PolicyDocument) };
}

function tableOf(assembly: Assembly, subnet: string): string {
  const all = assembly.of('AWS::EC2::SubnetRouteTableAssociation');
  const found = all.find(({ properties }) => properties.SubnetId === subnet);
  return String((found ?? unknown('subnet without a route table', subnet)).properties.RouteTableId);
}

interface Rule {
  readonly CidrIp?: string;
  readonly IpProtocol: string;
  readonly FromPort: number;
  readonly ToPort: number;
}

/** Whether a security group lets requests over TLS out to any address: an endpoint has none of its own. */
function letsOut(assembly: Assembly, groupId: string): boolean {
  const group = assembly.of('AWS::EC2::SecurityGroup').find(({ logicalId }) => logicalId === groupId);
  const rules = ((group ?? unknown('security group', groupId)).properties.SecurityGroupEgress ?? []) as readonly Rule[];
  return rules.some(
    ({ CidrIp, IpProtocol, FromPort, ToPort }) =>
      CidrIp === '0.0.0.0/0' && IpProtocol === 'tcp' && FromPort <= HTTPS && HTTPS <= ToPort,
  );
}

function isAllowed({ id, statements }: Endpoint, account: string, roleArn: string, need: Need): boolean {
  const policies = { ofRole: new Map(), trust: new Map(), ofResource: new Map([[id, statements]]) };
  const caller = { roleArn, service: null };
  const facts = { 'aws:PrincipalArn': roleArn, ...need.facts };
  const request = { caller, action: need.action, resource: need.resource, owner: id, facts };
  return evaluate(policies, account, request).allowed;
}
