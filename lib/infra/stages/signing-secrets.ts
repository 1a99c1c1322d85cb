import type * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { DEPLOYED_WRITERS, type Writer } from '../../pipeline/model.ts';
import { acknowledge } from '../acknowledge.ts';
import type { LambdaFunction } from '../lambda-function.ts';
import { grantSecret } from './service-secrets.ts';
import { stateOf } from './workflow.ts';

export interface SigningSecretsProps {
  readonly key: kms.IKey;
}

/** Excludes everything but hexadecimal digits. The result is a seed as text. */
const NOT_HEXADECIMAL = 'ghijklmnopqrstuvwxyz';
/** 32 bytes in hexadecimal digits: the length of an Ed25519 seed. */
const SEED_DIGITS = 64;

/**
 * The secrets from which the stages make the keys that sign their entries. Each stage has its own secret, which no other stage reads. A
 * writer that only some deployments have gets its secret when it is granted.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Key } from 'aws-cdk-lib/aws-kms';
 * import type { StageFunction } from './lib/infra/stages/function.ts';
 *
 * const stack = new Stack(new App(), 'Mail');
 * const signing = new SigningSecrets(stack, 'Signing', { key: new Key(stack, 'Key') });
 * const grant = (decide: StageFunction) => signing.grantTo('decide', decide);
 * ```
 */
export class SigningSecrets extends Construct {
  private readonly secrets: Map<Writer, secretsmanager.ISecret>;
  private readonly key: kms.IKey;

  constructor(scope: Construct, id: string, { key }: SigningSecretsProps) {
    super(scope, id);
    this.key = key;
    this.secrets = new Map(DEPLOYED_WRITERS.map((writer) => [writer, this.newSecret(writer, key)]));
  }

  /**
   * Lets a function read its own secret. An isolated function cannot reach Secrets Manager, so it finds the value in its environment.
   * CloudFormation puts it there, and no template contains the value.
   */
  grantTo(writer: Writer, target: LambdaFunction): void {
    const secret = this.secrets.get(writer) ?? this.newSecret(writer, this.key);
    this.secrets.set(writer, secret);
    if (target.isIsolated) target.function.addEnvironment('AIRLOCK_SIGNING_SEED', secret.secretValue.unsafeUnwrap());
    else grantSecret(target, secret, 'AIRLOCK_SIGNING_SECRET');
  }

  private newSecret(writer: Writer, encryptionKey: kms.IKey): secretsmanager.ISecret {
    const secret = new secretsmanager.Secret(this, stateOf(writer), {
      description: `Mail Airlock: the key with which ${writer} signs`,
      encryptionKey,
      generateSecretString: {
        passwordLength: SEED_DIGITS,
        excludeUppercase: true,
        excludePunctuation: true,
        excludeCharacters: NOT_HEXADECIMAL,
        requireEachIncludedType: false,
      },
    });
    const reason = 'What was signed stays valid, so a rotation is the decision of an operator: put in another value.';
    acknowledge(secret, 'AwsSolutions-SMG4', reason);
    return secret as secretsmanager.ISecret;
  }
}
