/** Secrets Manager: values that an operator sets and rotates. */
import type { Service } from './call.ts';
import { AwsError } from './call.ts';
import { type Input, jsonService } from './json-service.ts';

export interface SecretSettings {
  readonly arn: string;
  readonly name: string;
  readonly keyArn: string | null;
}

/** The values of secrets, by ARN. A secret that has none was created and never set. */
export type SecretValues = Map<string, string>;

/** The end of an ARN that Secrets Manager chooses. A caller may leave it out. */
const SUFFIX = '-a1B2c3';

/** The service over these secrets. */
export function secretsService(secrets: readonly SecretSettings[], values: SecretValues): Service {
  const secretOf = ({ SecretId }: Input): SecretSettings => {
    const found = secrets.find(({ arn, name }) => [arn, arn.slice(0, -SUFFIX.length), name].includes(String(SecretId)));
    if (!found) throw new AwsError('ResourceNotFoundException', 400, `no secret ${SecretId}`);
    return found;
  };
  return jsonService('secretsmanager', {
    GetSecretValue: {
      fields: ['SecretId'],
      needs(input) {
        const { arn, keyArn } = secretOf(input);
        const read = { action: 'secretsmanager:GetSecretValue', resource: arn };
        if (keyArn === null) return [read];
        const service = `secretsmanager.${keyArn.split(':')[3]}.amazonaws.com`;
        return [read, { action: 'kms:Decrypt', resource: keyArn, owner: keyArn, facts: { 'kms:ViaService': service } }];
      },
      run(input) {
        const { arn, name } = secretOf(input);
        const value = values.get(arn);
        if (value === undefined)
          throw new AwsError('ResourceNotFoundException', 400, "can't find the specified secret value for AWSCURRENT");
        return { ARN: arn, Name: name, SecretString: value, VersionStages: ['AWSCURRENT'] };
      },
    },
  });
}
