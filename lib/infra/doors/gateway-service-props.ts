import type { RemovalPolicy } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type * as sns from 'aws-cdk-lib/aws-sns';

/** How the gateway on Fargate is set up. */
export interface GatewayServiceProps {
  /** Tasks run in its private subnets, from which AWS and the next server must be reachable. */
  readonly vpc: ec2.IVpc;
  /** The mail server that gets the safe mail: `HOST:PORT`. */
  readonly next: string;
  /** The name of the gateway in greetings. Its certificate must be for this name. */
  readonly name: string;
  /** Secret with `key` and `certificate` in PEM, as JSON. */
  readonly tls: secretsmanager.ISecret;
  /** The clients that may connect, as networks (`10.0.0.0/8`). For mail from everywhere, `0.0.0.0/0`. */
  readonly clientNetworks: readonly string[];
  /** Your own domains. Mail to them is taken from every client that may connect. @default none */
  readonly domains?: readonly string[];
  /** The clients that may send to everybody, as networks. @default nobody */
  readonly relayFrom?: readonly string[];
  /**
   * Secret with certificates of authorities in PEM. A client with a certificate of theirs may send to everybody. @default clients are not
   * asked for certificates
   */
  readonly clientAuthorities?: secretsmanager.ISecret;
  /**
   * Secret with a list of revoked certificates in PEM for each of these authorities. Deploy a new list before the old one is out of date:
   * after that, no certificate of its authority counts. @default a certificate counts until its last day
   */
  readonly clientRevocationLists?: secretsmanager.ISecret;
  /** Whether clients without such a certificate send nothing. @default false */
  readonly clientCertificateRequired?: boolean;
  /** Secret with the lines of `airlock gateway password`, for users who log in. @default nobody can log in */
  readonly passwords?: secretsmanager.ISecret;
  /** The user of the gateway at the next server. The text of the secret is the password. @default it does not log in */
  readonly nextLogin?: { readonly user: string; readonly password: secretsmanager.ISecret };
  /** Whether the certificate of `tls` is also shown to a next server that asks for one. @default false */
  readonly nextCertificate?: boolean;
  /** The network of the next server. @default anywhere, at its port */
  readonly nextNetwork?: ec2.IPeer;
  /** Other options of `airlock gateway`, such as `--notice-to`. @default none */
  readonly options?: readonly string[];
  /** The number of spools. Each has its own task. @default 1 */
  readonly spools?: number;
  /** The port of the load balancer. @default 25 */
  readonly port?: number;
  /** Whether the load balancer has an address of the internet. @default false */
  readonly internetFacing?: boolean;
  /** The image of the gateway. @default built from `deploy/Containerfile` when the app is deployed; in a checkout only */
  readonly image?: ecs.ContainerImage;
  /** The processor architecture of that image. @default x86-64 */
  readonly architecture?: ecs.CpuArchitecture;
  /** Processor units of a task: 1024 is one processor. @default 2048 */
  readonly cpu?: number;
  /** @default 4096 */
  readonly memoryMiB?: number;
  /** Key of the spool. @default a key of AWS */
  readonly key?: kms.IKey;
  /** An alarm rings when this number of messages waits in one spool. @default 1000 */
  readonly mostQueued?: number;
  /** Topic that every alarm notifies. @default no topic is notified */
  readonly alarmTopic?: sns.ITopic;
  /** @default three months */
  readonly logRetention?: logs.RetentionDays;
  /** The fate of the spool when the stack is deleted. @default it stays */
  readonly removalPolicy?: RemovalPolicy;
}
