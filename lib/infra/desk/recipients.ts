import { Duration } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { Buckets } from '../buckets.ts';
import { LambdaFunction } from '../lambda-function.ts';
import { otherCode } from '../sources/other-code.ts';

export interface RecipientsProps {
  readonly buckets: Buckets;
  /** The address that people use, if it is a domain of the owner: `https://…`. @default that of the HTTP API */
  readonly url?: string | undefined;
  readonly logRetention: logs.RetentionDays;
  /** A policy document (JSON) for the bundle. @default the policy as shipped */
  readonly policyJson?: string | undefined;
}

/** The names that it reads: chains, the public keys that verify them, and requests of recipients. */
const READS = ['runs/*.json', 'keys/*', 'asks/*'];
const WRITES = ['asks/*'];
/** An HTTP API waits half a minute for an answer. */
const TIMEOUT = Duration.seconds(29);
const MEMORY_MB = 512;
/** Anybody who knows the address can send requests. These are the requests per second, and the requests at once, that are answered. */
const THROTTLE = { rateLimit: 20, burstLimit: 40 };
/** The log has a line for each request, with its route alone. The whole address with its link would let every reader of the log in. */
const LOG_LINE =
  '$context.identity.sourceIp [$context.requestTime] "$context.routeKey" $context.status $context.requestId';

/**
 * The pages of recipients: a separate HTTP API without a sign-in, in front of a Lambda. It shows one message to anybody who has a signed
 * link. Its address differs from the desk, so no browser sends it a cookie of the desk. Its role reads chains, and no mail. It writes
 * requests of recipients.
 *
 * @example
 * ```ts
 * import { CfnOutput, type Stack } from 'aws-cdk-lib';
 *
 * const pagesOf = (stack: Stack, props: RecipientsProps) =>
 *   new CfnOutput(stack, 'RecipientsUrl', { value: new Recipients(stack, 'Recipients', props).url });
 * ```
 */
export class Recipients extends Construct {
  /** The address to which links lead. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: RecipientsProps) {
    super(scope, id);
    const api = new apigateway.HttpApi(this, 'Api', {
      description: 'Mail Airlock, pages of recipients',
      createDefaultStage: false,
    });
    this.url = props.url ?? api.apiEndpoint;
    const integration = new HttpLambdaIntegration('Recipients', this.newFunction(props).function);
    const { GET, POST } = apigateway.HttpMethod;
    const routes = [
      ...api.addRoutes({ path: '/r/{token}', methods: [GET, POST], integration }),
      ...api.addRoutes({ path: '/{file}', methods: [GET], integration }),
    ];
    const reason = 'Recipients have no account. The signed link is the authority, and the function checks it.';
    for (const route of routes) acknowledge(route, 'AwsSolutions-APIG4', reason);
    this.addStage(api, props.logRetention);
  }

  private newFunction({ buckets, logRetention, policyJson }: RecipientsProps): LambdaFunction {
    const work = buckets.of('work');
    const pages = new LambdaFunction(this, 'Pages', {
      description: 'Mail Airlock, pages of recipients',
      code: otherCode('recipients', policyJson),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: { AIRLOCK_WORK_BUCKET: work.bucketName, AIRLOCK_RECIPIENTS_URL: this.url },
      logRetention,
    });
    pages.allowNames(work, READS, WRITES);
    pages.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    return pages;
  }

  /** Its log names routes and no addresses, so it contains no link. */
  private addStage(api: apigateway.HttpApi, retention: logs.RetentionDays): void {
    const logGroup = new logs.LogGroup(this, 'Requests', { retention });
    new apigateway.HttpStage(this, 'Stage', {
      httpApi: api,
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new apigateway.LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(LOG_LINE),
      },
    });
  }
}
