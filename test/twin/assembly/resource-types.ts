/**
 * Every type of resource that the twin knows: its physical name, its attributes, and its properties. A type or property that is not
 * here stops the run, so that nothing which matters in AWS is left out in silence.
 */
export interface Place {
  readonly account: string;
  readonly region: string;
  /** Base URL of the front server. */
  readonly url: string;
}

export interface ResourceType {
  /** What `Ref` gives. `name` is the physical name. */
  readonly ref: (name: string, place: Place) => string;
  readonly attributes: Readonly<Record<string, (name: string, place: Place) => string>>;
  /** The property that sets the physical name. @default the type has none */
  readonly nameProperty?: string;
  readonly properties: readonly string[];
}

type Text = (name: string, place: Place) => string;

const byName: Text = (name) => name;
const arn =
  (service: string, resource: Text): Text =>
  (name, place) =>
    `arn:aws:${service}:${place.region}:${place.account}:${resource(name, place)}`;
const inert = (...properties: string[]): ResourceType => ({ ref: byName, attributes: {}, properties });

const bucketArn: Text = (name) => `arn:aws:s3:::${name}`;
const roleArn: Text = (name, { account }) => `arn:aws:iam::${account}:role/${name}`;
const queueArn = arn('sqs', byName);
const machineArn = arn('states', (name) => `stateMachine:${name}`);
const secretArn = arn('secretsmanager', (name) => `secret:${name}-a1B2c3`);
const functionArn = arn('lambda', (name) => `function:${name}`);
const logGroupArn = arn('logs', (name) => `log-group:/aws/twin/${name}:*`);

export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::S3::Bucket': {
    ref: byName,
    attributes: { Arn: bucketArn },
    nameProperty: 'BucketName',
    properties: [
      'BucketEncryption',
      'LifecycleConfiguration',
      'LoggingConfiguration',
      'NotificationConfiguration',
      'OwnershipControls',
      'PublicAccessBlockConfiguration',
      'VersioningConfiguration',
    ],
  },
  'AWS::S3::BucketPolicy': inert('Bucket', 'PolicyDocument'),
  'AWS::SQS::Queue': {
    ref: (name, { url, account }) => `${url}/${account}/${name}`,
    attributes: { Arn: queueArn, QueueName: byName },
    nameProperty: 'QueueName',
    properties: [
      'DelaySeconds',
      'MessageRetentionPeriod',
      'RedrivePolicy',
      'SqsManagedSseEnabled',
      'VisibilityTimeout',
    ],
  },
  'AWS::SQS::QueuePolicy': inert('Queues', 'PolicyDocument'),
  'AWS::DynamoDB::Table': {
    ref: byName,
    attributes: { Arn: arn('dynamodb', (name) => `table/${name}`) },
    nameProperty: 'TableName',
    properties: [
      'AttributeDefinitions',
      'BillingMode',
      'KeySchema',
      'PointInTimeRecoverySpecification',
      'SSESpecification',
      'TimeToLiveSpecification',
    ],
  },
  'AWS::Lambda::Function': {
    ref: byName,
    attributes: { Arn: functionArn },
    nameProperty: 'FunctionName',
    properties: [
      'Architectures',
      'Code',
      'Description',
      'Environment',
      'EphemeralStorage',
      'Handler',
      'KmsKeyArn',
      'LoggingConfig',
      'MemorySize',
      'ReservedConcurrentExecutions',
      'Role',
      'Runtime',
      'Timeout',
      'TracingConfig',
      'VpcConfig',
    ],
  },
  'AWS::Lambda::EventSourceMapping': inert(
    'BatchSize',
    'EventSourceArn',
    'FunctionName',
    'FunctionResponseTypes',
    'ScalingConfig',
  ),
  'AWS::IAM::Role': {
    ref: byName,
    attributes: { Arn: roleArn },
    nameProperty: 'RoleName',
    properties: ['AssumeRolePolicyDocument', 'Description', 'Policies'],
  },
  'AWS::IAM::Policy': inert('PolicyDocument', 'PolicyName', 'Roles'),
  'AWS::KMS::Key': {
    ref: byName,
    attributes: { Arn: arn('kms', (name) => `key/${name}`) },
    properties: ['Description', 'EnableKeyRotation', 'KeyPolicy'],
  },
  'AWS::SecretsManager::Secret': {
    ref: secretArn,
    attributes: { Id: secretArn },
    nameProperty: 'Name',
    properties: ['Description', 'GenerateSecretString', 'KmsKeyId', 'Name'],
  },
  'AWS::StepFunctions::StateMachine': {
    ref: machineArn,
    attributes: { Arn: machineArn, Name: byName },
    properties: [
      'DefinitionString',
      'DefinitionSubstitutions',
      'LoggingConfiguration',
      'RoleArn',
      'StateMachineType',
      'TracingConfiguration',
    ],
  },
  'AWS::Events::Rule': {
    ref: byName,
    attributes: { Arn: arn('events', (name) => `rule/${name}`) },
    properties: ['Description', 'EventPattern', 'ScheduleExpression', 'State', 'Targets'],
  },
  'AWS::SNS::Topic': { ref: arn('sns', byName), attributes: { TopicArn: arn('sns', byName) }, properties: [] },
  // It only refuses what comes without TLS.
  'AWS::SNS::TopicPolicy': inert('PolicyDocument', 'Topics'),
  'AWS::SNS::Subscription': inert('Endpoint', 'Protocol', 'RawMessageDelivery', 'TopicArn'),
  'AWS::SES::ReceiptRuleSet': inert(),
  'AWS::SES::ReceiptRule': inert('Rule', 'RuleSetName'),
  'AWS::Logs::LogGroup': {
    ref: byName,
    attributes: { Arn: logGroupArn },
    properties: ['RetentionInDays'],
  },
  'AWS::EC2::VPC': inert('CidrBlock', 'EnableDnsHostnames', 'EnableDnsSupport', 'InstanceTenancy'),
  'AWS::EC2::Subnet': inert('AvailabilityZone', 'CidrBlock', 'MapPublicIpOnLaunch', 'VpcId'),
  'AWS::EC2::RouteTable': inert('VpcId'),
  'AWS::EC2::SubnetRouteTableAssociation': inert('RouteTableId', 'SubnetId'),
  'AWS::EC2::SecurityGroup': {
    ref: byName,
    attributes: { GroupId: byName },
    properties: ['GroupDescription', 'SecurityGroupEgress', 'VpcId'],
  },
  'AWS::EC2::VPCEndpoint': inert('PolicyDocument', 'RouteTableIds', 'ServiceName', 'VpcEndpointType', 'VpcId'),
  // The way to the desk. The twin hands its events over itself.
  'AWS::ApiGatewayV2::Api': inert('Description', 'Name', 'ProtocolType'),
  'AWS::ApiGatewayV2::Stage': inert('AccessLogSettings', 'ApiId', 'AutoDeploy', 'DefaultRouteSettings', 'StageName'),
  'AWS::ApiGatewayV2::Integration': inert('ApiId', 'IntegrationType', 'IntegrationUri', 'PayloadFormatVersion'),
  'AWS::ApiGatewayV2::Route': inert('ApiId', 'AuthorizationType', 'AuthorizerId', 'RouteKey', 'Target'),
  'AWS::ApiGatewayV2::Authorizer': inert('ApiId', 'AuthorizerType', 'IdentitySource', 'JwtConfiguration', 'Name'),
  'AWS::Lambda::Permission': inert('Action', 'FunctionName', 'Principal', 'SourceArn'),
  // What only watches. It changes nothing of how a mail goes.
  'AWS::Logs::MetricFilter': inert('FilterPattern', 'LogGroupName', 'MetricTransformations'),
  'AWS::CloudWatch::Alarm': {
    ref: byName,
    attributes: { Arn: arn('cloudwatch', (name) => `alarm:${name}`) },
    properties: [
      'AlarmActions',
      'AlarmDescription',
      'ComparisonOperator',
      'DatapointsToAlarm',
      'Dimensions',
      'EvaluationPeriods',
      'ExtendedStatistic',
      'MetricName',
      'Metrics',
      'Namespace',
      'Period',
      'Statistic',
      'Threshold',
      'TreatMissingData',
    ],
  },
  'AWS::CloudWatch::Dashboard': inert('DashboardBody'),
  'AWS::CDK::Metadata': inert('Analytics'),
};
