/** One connection of a mail server: its statements about a client and each message, and our answers. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { referenceOf } from '../../words/reference.ts';
import { ENVELOPE_SCHEMA, type Envelope, type Recipient } from '../envelope.ts';
import type { GatewayLimits } from '../limits.ts';
import type { LoopKey } from '../loop.ts';
import type { MilterSettings } from '../settings.ts';
import type { MailFrom } from '../smtp-parameters.ts';
import type { Refusal } from '../smtp-path.ts';
import type { Spool } from '../spool.ts';
import type { Entry } from '../spool-reading.ts';
import { isFull, takeMessage } from '../take-message.ts';
import { editPackets } from './edits.ts';
import type { Answer, OfferDesk } from './offers.ts';
import {
  ACTIONS,
  agreedTerms,
  type Packet,
  PacketError,
  packet,
  STEPS,
  stringsOf,
  termsOf,
  termsPacket,
} from './packets.ts';
import { type Client, clientOf, fieldOf, mailOf, rcptOf, readMacros, wordOf } from './said.ts';

/** The options that all connections of a door share. */
export interface SessionOptions {
  readonly settings: MilterSettings;
  readonly limits: GatewayLimits;
  readonly spool: Spool;
  readonly offers: OfferDesk;
  readonly loopKey: LoopKey;
  readonly now: () => number;
  readonly pressure: () => Promise<Refusal | null>;
  /** Called for each offered message, when it and its envelope are on the disk. */
  readonly onOffered: (entry: Entry) => void;
  /** Called for each answer at the end of a message. */
  readonly onAnswer: (kind: string) => void;
  readonly onRefusal: (reply: Refusal) => void;
  readonly onConnections: (count: number) => void;
  readonly onFault: (error: unknown) => void;
}

/** A mail server gives up a silent filter. Seconds between two signs of life; Sendmail waits for ten. */
const PROGRESS_SECONDS = 5;
const CONTINUE = packet('c');
const FAULT: Refusal = { code: 451, status: '4.3.0', text: 'Local fault: try again later' };
const FULL: Refusal = { code: 452, status: '4.3.1', text: 'The disk is full: try again later' };
const TOO_MANY: Refusal = { code: 452, status: '4.5.3', text: 'Too many recipients' };
const LATER: Refusal = { code: 451, status: '4.7.1', text: 'The message could not be judged yet: try again later' };

/** An arriving message. */
interface Arriving {
  readonly stream: PassThrough;
  readonly taken: Promise<Entry | Refusal>;
}

export interface Session {
  /** Handles a packet. Throws PacketError for an impossible one. Every packet is impossible while the answer about a message is awaited. */
  take(packet: Packet): Promise<void>;
  /** Ends the connection: offers without an answer stay with the mail server. */
  withdraw(): void;
}

export function openSession(options: SessionOptions, socket: Socket): Session {
  const { limits, now } = options;
  const macros = new Map<string, string>();
  let client: Client = { address: 'unknown', name: null, port: null };
  let helo: string | null = null;
  let mail: MailFrom | null = null;
  let recipients: Recipient[] = [];
  let arriving: Arriving | null = null;
  let steps = 0;
  let withdrawOffer: () => void = () => undefined;
  let isWaiting = false;

  const say = (...packets: Buffer[]) => {
    if (!socket.destroyed) socket.write(Buffer.concat(packets));
  };
  /** Tells the server to continue, unless it does not wait for that. */
  const goOn = (step = 0) => {
    if ((steps & step) === 0) say(CONTINUE);
  };
  const refuse = (reply: Refusal) => {
    options.onRefusal(reply);
    // The text is a format of printf for some mail servers.
    say(packet('y', `${reply.code} ${reply.status} ${reply.text.replaceAll('%', '%%')}\0`));
  };
  const forgetMessage = () => {
    arriving?.stream.destroy();
    arriving = null;
    mail = null;
    recipients = [];
  };
  const arrive = (): Arriving => {
    const stream = new PassThrough();
    const facts = factsOf();
    const taken = takeMessage({ ...options, traceName: null, onBytes: () => undefined }, facts, stream).catch(
      (error: unknown) => {
        if (!stream.destroyed) options.onFault(error);
        return isFull(error) ? FULL : FAULT;
      },
    );
    return { stream, taken };
  };
  const write = async (bytes: Buffer): Promise<Arriving> => {
    if (mail === null || recipients.length === 0) throw new PacketError('a message without its envelope');
    arriving ??= arrive();
    const { stream, taken } = arriving;
    // A stream whose reader failed takes nothing more. The reason is reported at the end of the message.
    if (!stream.destroyed && !stream.write(bytes)) await Promise.race([once(stream, 'drain'), taken]);
    return arriving;
  };
  const factsOf = (): Omit<Envelope, 'id' | 'message' | 'passes'> => {
    if (mail === null) throw new PacketError('a message without its envelope');
    return {
      ...{ schema: ENVELOPE_SCHEMA, origin: 'milter', receivedAt: new Date(now()).toISOString() },
      ...{ sender: mail.sender, parameters: mail.parameters, recipients: [...recipients] },
      peer: { ...client, helo, protocol: null, source: null, ident: wordOf(macros.get('i')) },
      tls: wordOf(macros.get('{cipher}')),
      user: wordOf(macros.get('{auth_authen}')),
    };
  };

  async function takeMail(data: Uint8Array): Promise<void> {
    forgetMessage();
    const read = mailOf(data, limits.messageBytes);
    const reply = read.ok ? await options.pressure().catch(() => FAULT) : read.reply;
    if (read.ok && reply === null) mail = read.value;
    if (reply === null) goOn();
    else refuse(reply);
  }

  function takeRecipient(data: Uint8Array): void {
    const read = rcptOf(data, mail?.parameters.smtpUtf8 ?? false);
    const reply = read.ok ? (recipients.length < limits.recipients ? null : TOO_MANY) : read.reply;
    if (read.ok && reply === null && !recipients.some(({ address }) => address === read.value.address))
      recipients.push(read.value);
    if (reply === null) goOn();
    else refuse(reply);
  }

  async function endMessage(data: Uint8Array): Promise<void> {
    const { stream, taken } = await write(Buffer.from(data));
    stream.end();
    const entry = await taken;
    arriving = null;
    forgetMessage();
    if ('code' in entry) refuse(entry);
    else offerEntry(entry);
  }

  /** Answers once the end of the message is known, and shows meanwhile that we are there. */
  function offerEntry(entry: Entry): void {
    const alive = setInterval(() => say(packet('p')), PROGRESS_SECONDS * 1000);
    const over = () => {
      clearInterval(alive);
      isWaiting = false;
      withdrawOffer = () => undefined;
    };
    isWaiting = true;
    const withdraw = options.offers.offer(entry, (answer) => {
      over();
      tell(answer);
    });
    withdrawOffer = () => {
      over();
      withdraw();
    };
    if (socket.destroyed) withdrawOffer();
    options.onOffered(entry);
  }

  function tell(answer: Answer): void {
    const isChanged = answer.kind === 'accept' && answer.edits.length > 0;
    options.onAnswer(isChanged ? 'change' : answer.kind);
    if (answer.kind === 'accept') say(...editPackets(answer.edits), CONTINUE);
    else if (answer.kind === 'take') say(packet('d'));
    else if (answer.kind === 'later') refuse(LATER);
    else {
      const text = `Held by the mail filter (reference ${referenceOf(answer.runId)})`;
      if (answer.kind === 'reject') refuse({ code: 550, status: '5.7.1', text });
      else say(packet('q', `${text}\0`), CONTINUE);
    }
  }

  function negotiate(data: Uint8Array): void {
    const agreed = agreedTerms(termsOf(data), actionsOf(options.settings.held));
    if (agreed === null) throw new PacketError('the mail server does not let a filter change messages');
    steps = agreed.steps;
    say(termsPacket(agreed));
  }

  const commands: Readonly<Record<string, (data: Uint8Array) => void | Promise<void>>> = {
    O: negotiate,
    D: (data) => readMacros(macros, data),
    C(data) {
      client = clientOf(data);
      goOn(STEPS.noReplyToConnect);
    },
    H(data) {
      helo = wordOf(stringsOf(data)[0]);
      goOn(STEPS.noReplyToHelo);
    },
    M: takeMail,
    R: takeRecipient,
    async L(data) {
      await write(fieldOf(data));
      goOn(STEPS.noReplyToHeader);
    },
    async N() {
      await write(Buffer.from('\r\n'));
      goOn(STEPS.noReplyToEndOfHeader);
    },
    async B(data) {
      await write(Buffer.from(data));
      goOn(STEPS.noReplyToBody);
    },
    E: endMessage,
    A: forgetMessage,
    // The next client of the same mail server uses the same connection.
    K() {
      forgetMessage();
      macros.clear();
    },
    T: () => goOn(),
    U: () => goOn(),
  };

  return {
    async take({ command, data }) {
      // It gave up the message: it would take an answer now for the answer to something else.
      if (isWaiting) throw new PacketError('a command before the answer to the last one');
      const work = commands[command];
      if (work === undefined)
        throw new PacketError(`a command that the protocol does not have: ${JSON.stringify(command)}`);
      await work(data);
    },
    withdraw() {
      withdrawOffer();
      forgetMessage();
    },
  };
}

const actionsOf = (held: SessionOptions['settings']['held']): number =>
  ACTIONS.addHeaders | ACTIONS.changeHeaders | ACTIONS.changeBody | (held === 'quarantine' ? ACTIONS.quarantine : 0);
