import type * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { StageFunction } from './function.ts';
import { grantSecret } from './service-secrets.ts';

export interface SealSecretProps {
  readonly key: kms.IKey;
  /** @default a new secret without a value */
  readonly given?: secretsmanager.ISecret | undefined;
}

/**
 * The secret with the key that seals delivered messages (ARC). Only `deliver` reads it.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Key } from 'aws-cdk-lib/aws-kms';
 * import type { StageFunction } from './lib/infra/stages/function.ts';
 *
 * const stack = new Stack(new App(), 'Mail');
 * const seal = new SealSecret(stack, 'Seal', { key: new Key(stack, 'Key') });
 * const grant = (deliver: StageFunction) => seal.grantTo(deliver);
 * ```
 */
export class SealSecret extends Construct {
  readonly secret: secretsmanager.ISecret;

  constructor(scope: Construct, id: string, { key, given }: SealSecretProps) {
    super(scope, id);
    this.secret = given ?? this.newSecret(key);
  }

  /** Lets the stage read the secret. */
  grantTo(deliver: StageFunction): void {
    grantSecret(deliver, this.secret, 'AIRLOCK_SEAL_SECRET');
  }

  /** The secret has no value yet, because the public half of the key must first be in the DNS of the operator. */
  private newSecret(encryptionKey: kms.IKey): secretsmanager.ISecret {
    const secret = new secretsmanager.Secret(this, 'Key', {
      description: 'Mail Airlock: private key with which delivered messages are sealed (ARC), in PEM',
      encryptionKey,
    });
    const resource = secret.node.defaultChild;
    if (resource instanceof secretsmanager.CfnSecret) resource.generateSecretString = undefined;
    acknowledge(secret, 'AwsSolutions-SMG4', 'Its public half is in the DNS of the operator, who alone can rotate it.');
    return secret as secretsmanager.ISecret;
  }
}
