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

/** Begins a session with the mail server behind a socket. */
export function openSession(options: SessionOptions, socket: Socket): Session {
  return new MilterSession(options, socket);
}

class MilterSession implements Session {
  private readonly macros = new Map<string, string>();
  private client: Client = { address: 'unknown', name: null, port: null };
  private helo: string | null = null;
  private mail: MailFrom | null = null;
  private recipients: Recipient[] = [];
  private arriving: Arriving | null = null;
  /** The steps of the protocol that the mail server does not wait at; null until both sides have agreed. */
  private steps: number | null = null;
  private isHeaderOver = false;
  /** Withdraws the message whose answer is awaited; null when none is. */
  private withdrawOffer: (() => void) | null = null;

  private readonly commands: Readonly<Record<string, (data: Uint8Array) => void | Promise<void>>> = {
    O: (data) => this.negotiate(data),
    D: (data) => readMacros(this.macros, data),
    C: (data) => this.takeClient(data),
    H: (data) => this.takeHelo(data),
    M: (data) => this.takeMail(data),
    R: (data) => this.takeRecipient(data),
    L: (data) => this.takeField(data),
    N: () => this.endHeader(),
    B: (data) => this.takeBody(data),
    E: (data) => this.endMessage(data),
    A: () => this.forgetMessage(),
    K: () => this.forgetClient(),
    T: () => this.goOn(),
    U: () => this.goOn(),
  };

  constructor(
    private readonly options: SessionOptions,
    private readonly socket: Socket,
  ) {}

  async take({ command, data }: Packet): Promise<void> {
    // It gave up the message: it would take an answer now for the answer to something else.
    if (this.withdrawOffer !== null) throw new PacketError('a command before the answer to the last one');
    if (this.steps === null && command !== 'O') throw new PacketError('a command before both sides have agreed');
    const work = this.commands[command];
    if (work === undefined)
      throw new PacketError(`a command that the protocol does not have: ${JSON.stringify(command)}`);
    await work(data);
  }

  withdraw(): void {
    this.withdrawOffer?.();
    this.forgetMessage();
  }

  private negotiate(data: Uint8Array): void {
    const agreed = agreedTerms(termsOf(data), actionsOf(this.options.settings.held));
    if (agreed === null) throw new PacketError('the mail server does not let a filter change messages');
    this.steps = agreed.steps;
    this.say(termsPacket(agreed));
  }

  private takeClient(data: Uint8Array): void {
    this.client = clientOf(data);
    this.goOn(STEPS.noReplyToConnect);
  }

  private takeHelo(data: Uint8Array): void {
    this.helo = wordOf(stringsOf(data)[0]);
    this.goOn(STEPS.noReplyToHelo);
  }

  private async takeMail(data: Uint8Array): Promise<void> {
    this.forgetMessage();
    const read = mailOf(data, this.options.limits.messageBytes);
    const reply = read.ok ? await this.options.pressure().catch(() => FAULT) : read.reply;
    if (read.ok && reply === null) this.mail = read.value;
    this.goOnOrRefuse(reply);
  }

  private takeRecipient(data: Uint8Array): void {
    if (this.arriving !== null) throw new PacketError('a recipient behind the beginning of the message');
    const { recipients } = this;
    const read = rcptOf(data, this.mail?.parameters.smtpUtf8 ?? false);
    const isRoom = recipients.length < this.options.limits.recipients;
    const reply = read.ok ? (isRoom ? null : TOO_MANY) : read.reply;
    if (read.ok && isRoom && !recipients.some(({ address }) => address === read.value.address))
      recipients.push(read.value);
    this.goOnOrRefuse(reply);
  }

  // A field behind the end of the header, or a body before it, would be read in another place here than at the mail server.
  private async takeField(data: Uint8Array): Promise<void> {
    if (this.isHeaderOver) throw new PacketError('a field behind the end of the header');
    await this.write(fieldOf(data));
    this.goOn(STEPS.noReplyToHeader);
  }

  private async endHeader(): Promise<void> {
    if (this.isHeaderOver) throw new PacketError('a second end of the header');
    await this.write(Buffer.from('\r\n'));
    this.isHeaderOver = true;
    this.goOn(STEPS.noReplyToEndOfHeader);
  }

  private async takeBody(data: Uint8Array): Promise<void> {
    if (!this.isHeaderOver) throw new PacketError('a body before the end of the header');
    await this.write(Buffer.from(data));
    this.goOn(STEPS.noReplyToBody);
  }

  private async endMessage(data: Uint8Array): Promise<void> {
    if (!this.isHeaderOver) throw new PacketError('the end of a message before the end of its header');
    const { stream, taken } = await this.write(Buffer.from(data));
    stream.end();
    const entry = await taken;
    this.arriving = null;
    this.forgetMessage();
    if ('code' in entry) this.refuse(entry);
    else this.offer(entry);
  }

  private forgetMessage(): void {
    this.arriving?.stream.destroy();
    this.arriving = null;
    this.mail = null;
    this.recipients = [];
    this.isHeaderOver = false;
  }

  /** The next client of the same mail server uses the same connection. */
  private forgetClient(): void {
    this.forgetMessage();
    this.macros.clear();
  }

  private async write(bytes: Buffer): Promise<Arriving> {
    if (this.mail === null || this.recipients.length === 0) throw new PacketError('a message without its envelope');
    this.arriving ??= this.arrive(this.mail);
    const { stream, taken } = this.arriving;
    // A stream whose reader failed takes nothing more. The reason is reported at the end of the message.
    if (!stream.destroyed && !stream.write(bytes)) await Promise.race([once(stream, 'drain'), taken]);
    return { stream, taken };
  }

  /** Begins to store a message. */
  private arrive(mail: MailFrom): Arriving {
    const { options } = this;
    const stream = new PassThrough();
    const storing = takeMessage({ ...options, traceName: null, onBytes: () => undefined }, this.factsOf(mail), stream);
    const taken = storing.catch((error: unknown) => {
      if (!stream.destroyed) options.onFault(error);
      return isFull(error) ? FULL : FAULT;
    });
    return { stream, taken };
  }

  private factsOf({ sender, parameters }: MailFrom): Omit<Envelope, 'id' | 'message' | 'passes'> {
    const macro = (name: string) => wordOf(this.macros.get(name));
    return {
      schema: ENVELOPE_SCHEMA,
      origin: 'milter',
      receivedAt: new Date(this.options.now()).toISOString(),
      sender,
      parameters,
      recipients: [...this.recipients],
      peer: { ...this.client, helo: this.helo, protocol: null, source: null, ident: macro('i') },
      tls: macro('{cipher}'),
      user: macro('{auth_authen}'),
    };
  }

  /** Answers once the end of the message is known, and shows meanwhile that we are there. */
  private offer(entry: Entry): void {
    const alive = setInterval(() => this.say(packet('p')), PROGRESS_SECONDS * 1000);
    const over = () => {
      clearInterval(alive);
      this.withdrawOffer = null;
    };
    // The answer may come at once, before there is anything to withdraw.
    let withdraw: () => void = () => undefined;
    this.withdrawOffer = () => {
      over();
      withdraw();
    };
    withdraw = this.options.offers.offer(entry, (answer) => {
      over();
      this.answer(answer);
    });
    if (this.socket.destroyed) this.withdraw();
    this.options.onOffered(entry);
  }

  private answer(answer: Answer): void {
    const isChanged = answer.kind === 'accept' && answer.edits.length > 0;
    this.options.onAnswer(isChanged ? 'change' : answer.kind);
    if (answer.kind === 'accept') this.say(...editPackets(answer.edits), CONTINUE);
    else if (answer.kind === 'take') this.say(packet('d'));
    else if (answer.kind === 'later') this.refuse(LATER);
    else this.answerHeld(answer.kind, `Held by the mail filter (reference ${referenceOf(answer.runId)})`);
  }

  private answerHeld(kind: 'reject' | 'quarantine', text: string): void {
    if (kind === 'reject') this.refuse({ code: 550, status: '5.7.1', text });
    else this.say(packet('q', `${text}\0`), CONTINUE);
  }

  private goOnOrRefuse(reply: Refusal | null): void {
    if (reply === null) this.goOn();
    else this.refuse(reply);
  }

  /** Tells the server to continue, unless it does not wait for that. */
  private goOn(step = 0): void {
    if (((this.steps ?? 0) & step) === 0) this.say(CONTINUE);
  }

  private refuse(reply: Refusal): void {
    this.options.onRefusal(reply);
    // The text is a format of printf for some mail servers.
    this.say(packet('y', `${reply.code} ${reply.status} ${reply.text.replaceAll('%', '%%')}\0`));
  }

  private say(...packets: Buffer[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(packets));
  }
}

const actionsOf = (held: SessionOptions['settings']['held']): number =>
  ACTIONS.addHeaders | ACTIONS.changeHeaders | ACTIONS.changeBody | (held === 'quarantine' ? ACTIONS.quarantine : 0);
