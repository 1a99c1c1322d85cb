/** The parameters of MAIL and RCPT that we announce (RFC 1870, 6152, 6531, 3461), each with its own grammar. Others are refused. */
import type { Envelope, Recipient } from './envelope.ts';
import { needsUtf8, type PathAndParameters, type Read, refused } from './smtp-path.ts';

export interface MailFrom {
  readonly sender: string;
  readonly parameters: Envelope['parameters'];
}

const XTEXT = /^(?:[\x21-\x2A\x2C-\x3C\x3E-\x7E]|\+[0-9A-F]{2})+$/;
const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8', 'RET', 'ENVID', 'AUTH'];
const RCPT_PARAMETERS = ['NOTIFY', 'ORCPT'];
/** RFC 3461 (4.4, 4.2): characters of these values. */
const MAX_ENVID = 100;
const MAX_ORCPT = 500;

/** Reads the parameters of MAIL. A message with a declared size above `maxBytes` is refused before it is sent. */
export function readMail({ address, parameters }: PathAndParameters, maxBytes: number): Read<MailFrom> {
  const unknown = unknownOf(parameters, MAIL_PARAMETERS);
  if (unknown !== null) return refused(555, '5.5.4', `Unknown parameter ${unknown}`);
  const bad = (name: string) => refused(501, '5.5.4', `Bad ${name} parameter`);
  const value = (name: string) => parameters.get(name) ?? null;

  const size = value('SIZE');
  if (parameters.has('SIZE') && !/^\d{1,20}$/.test(size ?? '')) return bad('SIZE');
  // Compared as a whole number of any length: 2^63 must not become a small one.
  if (size !== null && BigInt(size) > BigInt(maxBytes))
    return refused(552, '5.3.4', `Message size exceeds fixed limit of ${maxBytes}`);
  const body = value('BODY')?.toUpperCase() ?? null;
  if (parameters.has('BODY') && body !== '7BIT' && body !== '8BITMIME') return bad('BODY');
  if (value('SMTPUTF8') !== null) return bad('SMTPUTF8');
  const ret = value('RET')?.toUpperCase() ?? null;
  if (parameters.has('RET') && ret !== 'FULL' && ret !== 'HDRS') return bad('RET');
  const envid = value('ENVID');
  if (parameters.has('ENVID') && !isXtext(envid, MAX_ENVID)) return bad('ENVID');
  if (parameters.has('AUTH') && !isXtext(value('AUTH'), MAX_ORCPT)) return bad('AUTH');
  const smtpUtf8 = parameters.has('SMTPUTF8');
  if (!smtpUtf8 && needsUtf8(address)) return refused(553, '5.6.7', 'An address beyond ASCII needs SMTPUTF8');
  return {
    ok: true,
    value: {
      sender: address,
      parameters: {
        body: body as Envelope['parameters']['body'],
        size: size === null ? null : Number(size),
        smtpUtf8,
        ret: ret as Envelope['parameters']['ret'],
        envid,
      },
    },
  };
}

/** Reads the parameters of RCPT. */
export function readRcpt({ address, parameters }: PathAndParameters, smtpUtf8: boolean): Read<Recipient> {
  const unknown = unknownOf(parameters, RCPT_PARAMETERS);
  if (unknown !== null) return refused(555, '5.5.4', `Unknown parameter ${unknown}`);
  const notify = parameters.get('NOTIFY')?.toUpperCase() ?? null;
  const orcpt = parameters.get('ORCPT') ?? null;
  if (
    parameters.has('NOTIFY') &&
    !/^(?:NEVER|(?:SUCCESS|FAILURE|DELAY)(?:,(?:SUCCESS|FAILURE|DELAY)){0,2})$/.test(notify ?? '')
  )
    return refused(501, '5.5.4', 'Bad NOTIFY parameter');
  if (parameters.has('ORCPT') && !isOrcpt(orcpt)) return refused(501, '5.5.4', 'Bad ORCPT parameter');
  if (!smtpUtf8 && needsUtf8(address)) return refused(553, '5.6.7', 'An address beyond ASCII needs SMTPUTF8');
  return { ok: true, value: { address, notify, orcpt } };
}

const unknownOf = (parameters: ReadonlyMap<string, unknown>, known: readonly string[]): string | null =>
  [...parameters.keys()].find((name) => !known.includes(name)) ?? null;

const isXtext = (value: string | null, maxLength: number): boolean =>
  value !== null && value.length <= maxLength && XTEXT.test(value);

/** Returns whether the value is `rfc822;` and xtext, or `utf-8;` and the ASCII form of RFC 6533. */
function isOrcpt(value: string | null): boolean {
  const [, type, address] = /^([A-Za-z0-9-]{1,20});(.+)$/.exec(value ?? '') ?? [];
  if (type === undefined || address === undefined || address.length > MAX_ORCPT) return false;
  return type.toLowerCase() === 'utf-8' ? /^[\x21-\x2A\x2C-\x3C\x3E-\x7E]+$/.test(address) : XTEXT.test(address);
}
