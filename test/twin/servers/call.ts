/** A call to AWS as it came over HTTP, and what a service of the twin gives back. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../policies/evaluate.ts';
import type { Need } from '../policies/gate.ts';

/** Somebody with credentials of its own: each process of a function has its own, so that it can be told from its siblings. */
export interface KnownCaller extends Caller {
  /** Name of the function, or `administrator`. */
  readonly name: string;
  /** Id of the process, or null for the administrator. */
  readonly pid: number | null;
}

export interface AwsCall {
  /** As in the scope of the signature: `s3`, `dynamodb`, `states`… */
  readonly service: string;
  readonly operation: string;
  readonly caller: KnownCaller;
  readonly method: string;
  /** The target of the request as it was sent. Nothing in it is decoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** An error of AWS, by the name that the SDK gives it. */
export class AwsError extends Error {
  override readonly name: string;
  readonly status: number;
  /** Other fields of the error. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(name: string, status: number, message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = name;
    this.status = status;
    this.fields = fields;
  }
}

/** One service of AWS. */
export interface Service {
  /** What the operation of a request is called. Throws UnknownToTwinError. */
  operation(call: Omit<AwsCall, 'operation' | 'caller'>): string;
  /** The permissions that the call takes. */
  needs(call: AwsCall): Need[];
  /** Throws AwsError, and UnknownToTwinError for what the twin does not know. */
  answer(call: AwsCall): Promise<Answer>;
  /** The error in the protocol of the service. */
  error(error: AwsError): Answer;
}
