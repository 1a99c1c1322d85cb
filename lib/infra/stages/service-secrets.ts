import type * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { LambdaFunction } from '../lambda-function.ts';
import type { StageFunction } from './function.ts';

export interface ServiceSecretsProps {
  readonly analysisUrl: string;
  readonly cdrUrl?: string;
  readonly apiKeySecret?: secretsmanager.ISecret;
  readonly cdrTokenSecret?: secretsmanager.ISecret;
  readonly key: kms.IKey;
}

/**
 * Lets a stage read a secret, and tells it the name.
 *
 * @example
 * ```ts
 * import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
 * import type { LambdaFunction } from './lib/infra/lambda-function.ts';
 *
 * function letSubmitAsk(submit: LambdaFunction, apiKey: ISecret): void {
 *   grantSecret(submit, apiKey, 'AIRLOCK_API_KEY_SECRET');
 * }
 * ```
 */
export function grantSecret(target: LambdaFunction, secret: secretsmanager.ISecret, variable: string): void {
  target.allow(['secretsmanager:GetSecretValue'], [secret.secretFullArn ?? `${secret.secretArn}-??????`]);
  if (secret.encryptionKey) target.allow(['kms:Decrypt'], [secret.encryptionKey.keyArn]);
  target.function.addEnvironment(variable, secret.secretArn);
}

/**
 * The URLs of the services and the secrets for their keys.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Key } from 'aws-cdk-lib/aws-kms';
 *
 * const stack = new Stack(new App(), 'Mail');
 * const secrets = new ServiceSecrets(stack, 'Secrets', { analysisUrl: 'https://analysis.example', key: new Key(stack, 'Key') });
 * secrets.cdrToken; // => null
 * ```
 */
export class ServiceSecrets extends Construct {
  readonly apiKey: secretsmanager.ISecret;
  readonly cdrToken: secretsmanager.ISecret | null;
  private readonly props: ServiceSecretsProps;

  constructor(scope: Construct, id: string, props: ServiceSecretsProps) {
    super(scope, id);
    this.props = props;
    this.apiKey = props.apiKeySecret ?? this.newSecret('ApiKey', 'Mail Airlock: key of the analysis service');
    const newToken = () => this.newSecret('CdrToken', 'Mail Airlock: token of the CDR service');
    this.cdrToken = props.cdrUrl === undefined ? null : (props.cdrTokenSecret ?? newToken());
  }

  /** Lets a stage read the secrets, and tells it where the service is. */
  grantTo(target: StageFunction): void {
    this.grantAnalysisTo(target);
    if (this.cdrToken === null || this.props.cdrUrl === undefined) return;
    grantSecret(target, this.cdrToken, 'AIRLOCK_CDR_TOKEN_SECRET');
    target.function.addEnvironment('AIRLOCK_CDR_URL', this.props.cdrUrl);
  }

  /** Does the same without the service that disarms files. */
  grantAnalysisTo(target: LambdaFunction): void {
    grantSecret(target, this.apiKey, 'AIRLOCK_API_KEY_SECRET');
    target.function.addEnvironment('AIRLOCK_ANALYSIS_URL', this.props.analysisUrl);
  }

  /** The secret has no value. A generated value would look like a working key, and every submission would then be refused. */
  private newSecret(id: string, description: string): secretsmanager.ISecret {
    const secret = new secretsmanager.Secret(this, id, { description, encryptionKey: this.props.key });
    const resource = secret.node.defaultChild;
    if (resource instanceof secretsmanager.CfnSecret) resource.generateSecretString = undefined;
    acknowledge(secret, 'AwsSolutions-SMG4', 'The service behind it issues the key; only its operator can rotate it.');
    return secret as secretsmanager.ISecret;
  }
}
