/** SES as it sends: SendEmail of version 2 with a raw message, from an identity of the account. */
import { onlyKnown, unknown } from '../assembly/refuse.ts';
import type { Place } from '../assembly/resource-types.ts';
import { type AwsCall, AwsError, type Service } from './call.ts';

export interface SentEmail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

interface Request {
  readonly FromEmailAddress?: string;
  readonly Destination: { readonly ToAddresses: readonly string[] };
  readonly Content: { readonly Raw: { readonly Data: string } };
}

const PATH = '/v2/email/outbound-emails';

/** Addresses that begin so are refused. */
export const REFUSED = 'refused';

/** The service; what it took is put into `outbox`. */
export function sesService(place: Place, outbox: SentEmail[]): Service {
  const identity = (name: string) => `arn:aws:ses:${place.region}:${place.account}:identity/${name}`;
  return {
    operation: ({ method, target }) =>
      method === 'POST' && target === PATH ? 'SendEmail' : unknown('request to SES', `${method} ${target}`),
    needs(call) {
      const { from } = emailIn(call);
      // The identity is the domain. A message with its own header takes both permissions.
      const resource = identity(from.slice(from.lastIndexOf('@') + 1));
      const facts = { 'ses:FromAddress': from };
      return ['ses:SendEmail', 'ses:SendRawEmail'].map((action) => ({ action, resource, facts }));
    },
    async answer(call) {
      const email = emailIn(call);
      if (email.to.some((address) => address.startsWith(REFUSED)))
        throw new AwsError('MessageRejected', 400, 'Email address is not verified.');
      outbox.push(email);
      const body = JSON.stringify({ MessageId: `message-${outbox.length}` });
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
    error: ({ name, status, message }) => ({
      status,
      headers: { 'content-type': 'application/json', 'x-amzn-errortype': name },
      body: JSON.stringify({ message }),
    }),
  };
}

function emailIn({ body }: AwsCall): SentEmail {
  const request: Request = JSON.parse(body.toString());
  onlyKnown('field of SendEmail', request, ['Content', 'Destination', 'FromEmailAddress']);
  onlyKnown('field of a destination', request.Destination, ['ToAddresses']);
  onlyKnown('field of a content', request.Content, ['Raw']);
  const text = Buffer.from(request.Content.Raw.Data, 'base64').toString();
  const from = request.FromEmailAddress ?? /^From: (?:.*<)?([^<>\s]+@[^<>\s]+?)>?\r$/m.exec(text)?.[1];
  return {
    from: from ?? unknown('message without an address', text.slice(0, 200)),
    to: request.Destination.ToAddresses,
    text,
  };
}
