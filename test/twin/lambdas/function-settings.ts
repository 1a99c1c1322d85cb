/** Functions as the template has them. */
import type { Assembly, Resource } from '../assembly/assembly.ts';
import { unknown } from '../assembly/refuse.ts';
import { type Network, networkOf } from '../policies/network.ts';
import { shortName } from '../policies/policies.ts';
import type { SecretValues } from '../servers/secrets.ts';

export interface FunctionSettings {
  readonly name: string;
  /** Short name for people: `Parse`. */
  readonly shortName: string;
  readonly description: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly logGroupArn: string;
  /** Folder of the bundle. */
  readonly folder: string;
  readonly handler: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Null: as many as the account has. */
  readonly reservedConcurrency: number | null;
  readonly isTraced: boolean;
  /** Null: in none. */
  readonly network: Network | null;
}

/** Names and values of an environment together. */
const MAX_ENVIRONMENT_BYTES = 4 * 1024;

/** All functions of the assembly. Throws UnknownToTwinError for a runtime that is not Node. */
export function functionSettings(assembly: Assembly, secrets: SecretValues): FunctionSettings[] {
  return assembly.of('AWS::Lambda::Function').map((resource) => settingsOf(assembly, secrets, resource));
}

function settingsOf(assembly: Assembly, secrets: SecretValues, resource: Resource): FunctionSettings {
  const { properties } = resource;
  if (!/^nodejs\d+\.x$/.test(String(properties.Runtime))) unknown('runtime', properties.Runtime);
  const { LogGroup } = (properties.LoggingConfig ?? unknown('function without a log group', resource.name)) as {
    readonly LogGroup: string;
  };
  const group =
    assembly.of('AWS::Logs::LogGroup').find(({ ref }) => ref === LogGroup) ?? unknown('log group', LogGroup);
  const { Variables = {} } = (properties.Environment ?? {}) as { readonly Variables?: Record<string, string> };
  const room = Buffer.byteLength(Object.entries(Variables).flat().join(''));
  if (room > MAX_ENVIRONMENT_BYTES) unknown(`environment of ${room} bytes, which Lambda refuses`, resource.name);
  const tracing = properties.TracingConfig as { readonly Mode?: string } | undefined;
  return {
    name: resource.name,
    shortName: shortName(resource).replace(/Function$/, ''),
    description: String(properties.Description ?? ''),
    arn: resource.arn,
    roleArn: String(properties.Role),
    logGroupArn: group.arn,
    folder: assembly.assetFolder((properties.Code as { readonly S3Key: string }).S3Key),
    handler: String(properties.Handler),
    memoryMb: Number(properties.MemorySize ?? 128),
    timeoutSeconds: Number(properties.Timeout ?? 3),
    environment: Object.fromEntries(Object.entries(Variables).map(([key, value]) => [key, deployed(value, secrets)])),
    reservedConcurrency: (properties.ReservedConcurrentExecutions as number | undefined) ?? null,
    isTraced: tracing?.Mode === 'Active',
    network: networkOf(assembly, resource),
  };
}

const REFERENCE = /^\{\{resolve:secretsmanager:(arn:[^{}]+):SecretString:::?\}\}$/;

/** A value as CloudFormation deploys it: the text of a secret takes the place of a reference to it. */
function deployed(value: string, secrets: SecretValues): string {
  if (!value.includes('{{resolve:')) return value;
  const [, arn = ''] = REFERENCE.exec(value) ?? [];
  return secrets.get(arn) ?? unknown('reference to a secret', value);
}
