import type { Construct } from 'constructs';
import type { PageLanguage } from '../../pipeline/model.ts';
import { WayOut, type WayOutProps } from '../way-out.ts';
import { Preview, type PreviewProps } from './preview.ts';

export interface MailPagesProps extends Omit<WayOutProps, 'name' | 'ends' | 'patience' | 'batchSize'> {
  /** The language of the pages. */
  readonly language: PageLanguage;
}

const WRITES = ['runs/*/page.html'];

/**
 * Writes the page of each mail beside its chain. A page is a file without scripts that people can keep and print. It works after a run has
 * ended, so no mail waits for it. It reads chains, and no mail itself: `preview` reads the header and draws the parts.
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
    super(scope, id, { ...props, name: 'mail-page', ends: ['MessageDelivered', 'MessageQuarantined'], batchSize: 1 });
    const { buckets, language } = props;
    this.allowNames(buckets.of('work'), [], WRITES);
    this.allow(['kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.function.addEnvironment('AIRLOCK_PAGE_LANGUAGE', language);
  }

  /** Has headers read and parts drawn by what reads mail for the desk. Where there is no desk, it makes one of its own. */
  readMailBy(preview: Preview | null, given: Omit<PreviewProps, 'packsOriginals'>): void {
    const { functionArn } = (preview ?? new Preview(this, 'Preview', { ...given, packsOriginals: false })).function;
    this.allow(['lambda:InvokeFunction'], [functionArn]);
    this.function.addEnvironment('AIRLOCK_PREVIEW_FUNCTION', functionArn);
  }
}
