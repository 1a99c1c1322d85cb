/**
 * Receives messages: smtp-server behind a guard. A message is answered with 250 when it is on the disk with its envelope, and not before.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerAuthentication } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { certificatesOf, certifiedName } from './certificates.ts';
import { type Cut, cutOfMessage, watchForCut } from './client-disconnects.ts';
import { guardConnection } from './command-guard.ts';
import { noteLineEnds } from './command-lines.ts';
import { readDataOurselves } from './data-reader.ts';
import { type Dialogue, enter, newDialogue, resetEnvelope, slowness } from './dialogue.ts';
import { ENVELOPE_SCHEMA, type Envelope } from './envelope.ts';
import { answerBehindTheEnd, listenBehindTheEnd } from './half-close.ts';
import type { GatewayLimits } from './limits.ts';
import type { LoopKey } from './loop.ts';
import { countConnections, type OpenConnections } from './open-connections.ts';
import { peerOf } from './peer.ts';
import type { DoorSettings } from './settings.ts';
import type { Refusal } from './smtp-path.ts';
import type { Spool } from './spool.ts';
import type { Entry } from './spool-reading.ts';
import { isFull, takeMessage } from './take-message.ts';
import type { XforwardWatch } from './xforward-watch.ts';

export interface DoorOptions {
  readonly settings: DoorSettings;
  readonly limits: GatewayLimits;
  readonly spool: Spool;
  readonly loopKey: LoopKey;
  readonly now: () => number;
  readonly pressure: () => Promise<Refusal | null>;
  /** Called for each accepted message, before its sender gets the answer. */
  readonly onAccepted: (entry: Entry) => void;
  /** Called for each message of a server that is believed with XFORWARD: its address, and whether it named the client. */
  readonly onForwarded: XforwardWatch['took'];
  readonly onRefusal: (reply: Refusal) => void;
  readonly onConnections: (count: number) => void;
  /** Called for connections that their client cut in the middle of something. */
  readonly onCut: (cut: Cut) => void;
  readonly onFault: (error: unknown) => void;
}

export interface Door {
  readonly port: number;
  /** Ends connections that are too slow. Called every few seconds. */
  endSlowPeers(): void;
  /** Takes no new connection and no new message, lets messages that arrive end, and resolves when all connections are closed. */
  close(graceMs: number): Promise<void>;
}

/** Opens the door. Rejects when the address cannot be used, or a certificate cannot be read. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { settings, limits } = options;
  const connections = countConnections(limits, options.onConnections);
  const certificates = settings.tls && certificatesOf(settings.tls);
  const server = new SMTPServer({
    ...serverOptions(settings, limits),
    ...(certificates?.read() ?? {}),
    onData: (stream, session, callback) => {
      const found = connections.of(session);
      if (found === undefined) return callback(new Error('no connection'));
      void answerData(options, ...found, stream).then((reply) => end(found, reply, callback));
    },
    // Listeners of ours at the socket would not hear of it: STARTTLS takes them away.
    onClose: (session) => connections.remove(session),
    onSecure: (socket, _session, callback) => {
      listenBehindTheEnd(socket);
      callback();
    },
    onAuth: (auth, session, callback) => void answerAuth(options, connections.of(session)?.[1], auth, callback),
  });
  server.connect = (socket: Socket, socketOptions) => {
    const peer = socket.remoteAddress ?? '';
    if (connections.isFull(peer)) return turnAway(socket, options);
    if (certificates?.hasChanged()) renew(server, certificates, options);
    // Answers are short and the client waits for each, so none waits for a fuller segment.
    socket.setNoDelay(true);
    const connection = new SMTPConnection(server, socket, socketOptions);
    const dialogue = newDialogue(options.now());
    connections.add(peer, connection, dialogue);
    readDataOurselves(connection);
    noteLineEnds(connection, dialogue);
    answerBehindTheEnd(connection);
    guardConnection(connection, dialogue, options);
    server.connections.add(connection);
    watchForCut(connection, dialogue, options.onCut);
    // smtp-server waits a tenth of a second for clients that talk too soon. Our clients are named, and each message would wait.
    connection._setListeners(() => connection.connectionReady());
  };
  server.listen(settings.port, settings.host);
  await Promise.race([once(server.server, 'listening'), failed(server)]);
  server.on('error', (error) => options.onFault(error));
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    endSlowPeers() {
      for (const [connection, dialogue] of connections) {
        const why = slowness(dialogue, limits, options.now());
        if (why !== null) connection.send(421, `4.4.2 ${why}`, false);
      }
    },
    close: (graceMs) => closeDoor(server, connections, graceMs),
  };

  function end(
    [connection, dialogue]: readonly [SMTPConnection, Dialogue],
    reply: { code: number; text: string },
    callback: (error: Error | null, message?: string | (string | Error)[]) => void,
  ): void {
    const replies = settings.protocol === 'lmtp' ? dialogue.rcptReplies.length : 1;
    resetEnvelope(dialogue);
    enter(dialogue, 'command', options.now());
    const answers = Array.from({ length: replies }, () => (reply.code === 250 ? reply.text : refusal(reply)));
    callback(null, answers);
    if (reply.code === 421) connection.close();
  }
}

function serverOptions(settings: DoorSettings, limits: GatewayLimits) {
  return {
    name: settings.name,
    banner: 'Mail Airlock',
    lmtp: settings.protocol === 'lmtp',
    size: limits.messageBytes,
    hideENHANCEDSTATUSCODES: false,
    hideDSN: false,
    disableReverseLookup: true,
    useXForward: settings.xforward.length > 0 ? [...settings.xforward] : false,
    useXClient: settings.xclient.length > 0 ? [...settings.xclient] : false,
    disabledCommands: [
      ...['WIZ', 'SHELL', 'KILL'],
      ...(settings.tls ? [] : ['STARTTLS']),
      ...(settings.authenticate ? [] : ['AUTH']),
    ],
    // Clients that send to one of our domains, and named clients, need no password.
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: false,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.commandSeconds * 1000,
    logger: false as const,
  };
}

async function answerData(
  options: DoorOptions,
  connection: SMTPConnection,
  dialogue: Dialogue,
  stream: Readable,
): Promise<{ code: number; text: string }> {
  enter(dialogue, 'data', options.now());
  dialogue.messages += 1;
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
    dialogue.minuteBytes += count;
  };
  const traceName = options.settings.name;
  const taken = await takeMessage(
    { ...options, traceName, onBytes },
    factsOf(options, connection, dialogue),
    stream,
  ).catch((error: unknown) => {
    const cut = cutOfMessage(connection, error, bytes);
    if (cut !== null) return cut;
    options.onFault(error);
    return isFull(error)
      ? { code: 452, status: '4.3.1', text: 'The disk is full: try again later' }
      : { code: 451, status: '4.3.0', text: 'Local fault: try again later' };
  });
  enter(dialogue, 'busy', options.now());
  if ('during' in taken) {
    options.onCut(taken);
    return { code: 421, text: '4.4.2 The connection has ended' };
  }
  if ('code' in taken) {
    options.onRefusal(taken);
    return { code: taken.code, text: `${taken.status} ${taken.text}` };
  }
  options.onAccepted(taken);
  tellForwarded(options, connection);
  return { code: 250, text: `2.0.0 Accepted as ${taken.envelope.id}` };
}

function tellForwarded({ settings, onForwarded }: DoorOptions, connection: SMTPConnection): void {
  const { _originalRemoteAddress: address, session } = connection;
  const isTold = session.xForward.size > 0 || session.xClient.has('ADDR');
  if (settings.xforward.includes(address)) onForwarded(address, isTold);
}

function factsOf(
  { now }: DoorOptions,
  connection: SMTPConnection,
  dialogue: Dialogue,
): Omit<Envelope, 'id' | 'message' | 'passes'> {
  const { mail, recipients } = dialogue;
  if (mail === null) throw new Error('DATA without MAIL');
  const cipher = connection.tlsOptions ? connection.tlsOptions.name : null;
  const { user } = connection.session;
  const certificate = certifiedName(connection);
  return {
    schema: ENVELOPE_SCHEMA,
    origin: 'smtp',
    receivedAt: new Date(now()).toISOString(),
    sender: mail.sender,
    recipients: [...recipients],
    parameters: mail.parameters,
    peer: peerOf(connection),
    tls: cipher,
    ...(certificate !== null && { certificate }),
    user: typeof user === 'string' ? user : null,
  };
}

async function answerAuth(
  { settings: { authenticate }, limits, onRefusal }: DoorOptions,
  dialogue: Dialogue | undefined,
  { method, username = '', password, authzid = '', authcid = '' }: SMTPServerAuthentication,
  callback: (error: Error | null, response?: { user?: string; message?: string; responseCode?: number }) => void,
): Promise<void> {
  const refuse = (text: string) => {
    onRefusal({ code: 535, status: '5.7.8', text });
    if (dialogue !== undefined) dialogue.wrongPasswords += 1;
    if ((dialogue?.wrongPasswords ?? 0) < limits.wrongPasswords) return callback(null, { message: text });
    const last: Refusal = { code: 421, status: '4.7.0', text: 'Too many wrong passwords' };
    onRefusal(last);
    callback(null, { responseCode: last.code, message: `${last.status} ${last.text}` });
  };
  const isRight = authenticate !== null && method !== 'XCLIENT' && (await authenticate(username, password ?? ''));
  if (!isRight) return refuse('Authentication failed');
  // RFC 4616: the identity that the client wants, and the identity whose password it has. No client may act for another here. An omitted
  // second one means the first.
  if (authzid !== '' && authcid !== '' && authzid !== authcid) return refuse('Nobody may act for another user here');
  callback(null, { user: username });
}

const refusal = ({ code, text }: { code: number; text: string }): Error =>
  Object.assign(new Error(text), { responseCode: code });

function turnAway(socket: Socket, options: DoorOptions): void {
  options.onRefusal({ code: 421, status: '4.7.0', text: 'Too many connections' });
  socket.on('error', () => undefined);
  socket.end('421 4.7.0 Too many connections: try again later\r\n', () => socket.destroy());
}

function renew(server: SMTPServer, certificates: ReturnType<typeof certificatesOf>, options: DoorOptions): void {
  try {
    server.updateSecureContext(certificates.read());
  } catch (error) {
    // The files may be half written. The old certificate stays until they fit together.
    options.onFault(error);
  }
}

async function failed(server: SMTPServer): Promise<never> {
  const [error] = await once(server, 'error');
  throw error;
}

async function closeDoor(server: SMTPServer, connections: OpenConnections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.server.close(() => resolve());
  });
  const end = (connection: SMTPConnection) => connection.send(421, '4.3.2 Server shutting down', false);
  for (const [connection, { phase }] of connections) if (phase === 'command') end(connection);
  const timer = setInterval(() => {
    for (const [connection, { phase }] of connections) if (phase === 'command') end(connection);
  }, 100);
  const last = setTimeout(() => {
    for (const [connection] of connections) connection._socket.destroy();
  }, graceMs);
  await closed;
  clearInterval(timer);
  clearTimeout(last);
}
