import { createHash } from 'node:crypto';
import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ROLES } from '../../pipeline/model.ts';
import { acknowledge } from '../acknowledge.ts';
import type { Buckets } from '../buckets.ts';
import { LambdaFunction, type Network } from '../lambda-function.ts';
import { otherCode } from '../sources/other-code.ts';
import { type DeskIssuer, issuerSettings } from './issuer.ts';
import { Preview } from './preview.ts';
import { Review, type ReviewProps } from './review.ts';

export interface DeskProps {
  readonly buckets: Buckets;
  /** The index of runs. */
  readonly table: dynamodb.ITable;
  /** @default a new Cognito user pool, to which an administrator adds people */
  readonly issuer?: DeskIssuer | undefined;
  /** The address that people use, if it is a domain of the owner: `https://…`. @default that of the HTTP API */
  readonly url?: string | undefined;
  /** The network without a way out, in which mail is read for the desk. */
  readonly isolated: Network;
  readonly logRetention: logs.RetentionDays;
  readonly removalPolicy: RemovalPolicy;
  /** A policy document (JSON) for the bundles. @default the policy as shipped */
  readonly policyJson?: string | undefined;
  /** The settings of the function that carries out decisions. */
  readonly review: Omit<ReviewProps, 'buckets' | 'logRetention' | 'policyJson' | 'issuer'>;
}

/**
 * The names that it reads in the work bucket: chains, the audit trail with the block list, the public keys that verify both, requests of
 * recipients, notes of worse files, zips of originals for download, and saved views. A rebuilt message is no JSON, so it cannot read one.
 */
const READS = [
  'runs/*.json',
  'audit/*',
  'keys/*',
  'asks/*',
  'worse/*',
  'takeouts/*',
  'desk/views.json',
  'budget/quota.json',
];
/** An HTTP API waits half a minute for an answer. */
const TIMEOUT = Duration.seconds(29);
const MEMORY_MB = 1_024;
/** People without an account can send requests, too. These are the requests per second, and the requests at once, that are answered. */
const THROTTLE = { rateLimit: 50, burstLimit: 100 };
/** After an hour, the browser is sent to the issuer again. */
const SESSION = Duration.hours(1);

/**
 * The desk on AWS: an HTTP API in front of a Lambda that reads the index and the chains. People sign in with a browser. Programs need a
 * token for paths below `/api`, which the API itself checks. Its role writes nothing, and reads no mail. The desk passes decisions to
 * `review`, with the token of the person. Views of mail come from `preview`, which reads mail in a network without a way out.
 *
 * @example
 * ```ts
 * import { CfnOutput, type Stack } from 'aws-cdk-lib';
 *
 * const deskOf = (stack: Stack, props: DeskProps) => new CfnOutput(stack, 'Desk', { value: new Desk(stack, 'Desk', props).url });
 * ```
 */
export class Desk extends Construct {
  /** The address of the desk. */
  readonly url: string;
  readonly function: lambda.IFunction;
  /** Carries out what people decide. */
  readonly review: Review;
  /** Reads mail for the pages. */
  readonly preview: Preview;
  private readonly pages: LambdaFunction;
  /** Null when people sign in elsewhere. */
  readonly userPool: cognito.IUserPool | null;

  constructor(scope: Construct, id: string, props: DeskProps) {
    super(scope, id);
    const api = new apigateway.HttpApi(this, 'Api', {
      description: 'Mail Airlock, desk',
      createDefaultStage: false,
    });
    this.url = props.url ?? api.apiEndpoint;
    const pool = props.issuer === undefined ? this.newPool(props.removalPolicy) : null;
    this.userPool = pool as cognito.IUserPool | null;
    const issuer = props.issuer ?? this.clientOf(pool as cognito.UserPool);
    const { buckets, logRetention, policyJson } = props;
    this.review = new Review(this, 'Review', { ...props.review, buckets, logRetention, policyJson, issuer });
    this.preview = new Preview(this, 'Preview', {
      ...{ buckets, logRetention, network: props.isolated },
      packsOriginals: true,
    });
    this.pages = this.newFunction(props, issuer);
    this.function = this.pages.function;
    const integration = new HttpLambdaIntegration('Desk', this.function);
    const authorizer = new HttpJwtAuthorizer('Token', issuer.issuer, { jwtAudience: [issuer.clientId] });
    api.addRoutes({ path: '/api/{proxy+}', methods: [apigateway.HttpMethod.GET], integration, authorizer });
    const open = [
      ...api.addRoutes({ path: '/{proxy+}', methods: [apigateway.HttpMethod.ANY], integration }),
      ...api.addRoutes({ path: '/', methods: [apigateway.HttpMethod.GET], integration }),
    ];
    for (const route of open)
      acknowledge(
        route,
        'AwsSolutions-APIG4',
        'A browser sends no bearer token. The function checks the token in its cookie, and sends a caller who has none to sign in.',
      );
    this.addStage(api, props.logRetention);
  }

  /** Lets people drop copies of files into the intake bucket. Only `review` writes them. */
  takeDrops(buckets: Buckets): void {
    this.review.takeDrops(buckets);
    for (const each of [this.pages.function, this.review.function]) each.addEnvironment('AIRLOCK_DESK_DROPS', 'true');
  }

  private newFunction({ buckets, table, logRetention, policyJson }: DeskProps, issuer: DeskIssuer): LambdaFunction {
    const work = buckets.of('work');
    const desk = new LambdaFunction(this, 'Pages', {
      description: 'Mail Airlock, desk',
      code: otherCode('desk', policyJson),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {
        AIRLOCK_WORK_BUCKET: work.bucketName,
        AIRLOCK_RUNS_TABLE: table.tableName,
        AIRLOCK_DESK_URL: this.url,
        AIRLOCK_REVIEW_FUNCTION: this.review.function.functionArn,
        AIRLOCK_PREVIEW_FUNCTION: this.preview.function.functionArn,
        ...issuerSettings(issuer),
      },
      logRetention,
    });
    desk.allowNames(work, READS);
    desk.allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'], [table.tableArn]);
    desk.allow(
      ['lambda:InvokeFunction'],
      [this.review, this.preview].map((each) => each.function.functionArn),
    );
    desk.allow(['kms:Decrypt'], [...new Set([buckets.keyOf('work').keyArn, buckets.key.keyArn])]);
    return desk;
  }

  /** Returns a user pool to which nobody can add himself. */
  private newPool(removalPolicy: RemovalPolicy): cognito.UserPool {
    const pool = new cognito.UserPool(this, 'People', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      mfa: cognito.Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      accountRecovery: cognito.AccountRecovery.EMAIL_ONLY,
      removalPolicy,
    });
    for (const role of ROLES)
      new cognito.CfnUserPoolGroup(this, `Group-${role}`, { userPoolId: pool.userPoolId, groupName: role });
    // The name of the domain must be unique in the region.
    const ours = createHash('sha256').update(this.node.addr).digest('hex').slice(0, 8);
    pool.addDomain('SignIn', { cognitoDomain: { domainPrefix: `airlock-${ours}-${Stack.of(this).account}` } });
    acknowledge(
      pool,
      'AwsSolutions-COG8',
      'The plan with threat protection costs more for each person; the owner chooses it.',
    );
    return pool;
  }

  private clientOf(pool: cognito.UserPool): DeskIssuer {
    const { userPoolClientId: clientId } = pool.addClient('Desk', {
      generateSecret: false,
      preventUserExistenceErrors: true,
      // People sign in only on the pages of Cognito. Without a list here, Cognito would let programs sign in, too.
      authFlows: { userSrp: false },
      idTokenValidity: SESSION,
      accessTokenValidity: SESSION,
      refreshTokenValidity: SESSION,
      // Nobody can give himself the address of another person.
      writeAttributes: new cognito.ClientAttributes().withStandardAttributes({ locale: true }),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [cognito.OAuthScope.OPENID, cognito.OAuthScope.EMAIL, cognito.OAuthScope.PROFILE],
        callbackUrls: [`${this.url}/signed-in`],
      },
    });
    const { region } = Stack.of(this);
    const issuer = `https://cognito-idp.${region}.amazonaws.com/${pool.userPoolId}`;
    return { issuer, clientId, roleClaim: 'cognito:groups' };
  }

  private addStage(api: apigateway.HttpApi, retention: logs.RetentionDays): void {
    const logGroup = new logs.LogGroup(this, 'Requests', { retention });
    new apigateway.HttpStage(this, 'Stage', {
      httpApi: api,
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: { destination: new apigateway.LogGroupLogDestination(logGroup) },
    });
  }
}
