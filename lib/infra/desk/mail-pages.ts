import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { PageLanguage } from '../../pipeline/model.ts';
import { WayOut, type WayOutProps } from '../way-out.ts';

export interface MailPagesProps extends Omit<WayOutProps, 'name' | 'ends' | 'patience'> {
  /** The language of the pages. */
  readonly language: PageLanguage;
}

const WRITES = ['runs/*/page.html'];

/**
 * Writes the page of each mail beside its chain. A page is a file without scripts that people can keep and print. It works after a run has
 * ended, so no mail waits for it. It reads chains, and no mail itself.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const lettersOf = (stack: Stack, props: MailPagesProps) => new MailPages(stack, 'MailPages', props).deadLetters;
 * ```
 */
export class MailPages extends WayOut {
  constructor(scope: Construct, id: string, props: MailPagesProps) {
    super(scope, id, { ...props, name: 'mail-page', ends: ['MessageDelivered', 'MessageQuarantined'] });
    const { buckets, language } = props;
    this.allowNames(buckets.of('work'), [], WRITES);
    this.allow(['kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.function.addEnvironment('AIRLOCK_PAGE_LANGUAGE', language);
  }

  /** Lets the function that reads mail for the desk read the headers. */
  readHeadersBy({ functionArn }: lambda.IFunction): void {
    this.allow(['lambda:InvokeFunction'], [functionArn]);
    this.function.addEnvironment('AIRLOCK_PREVIEW_FUNCTION', functionArn);
  }
}
