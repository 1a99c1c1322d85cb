/** Answers malformed HTTP with the envelope. Node itself answers with an empty 400, which has no code for clients. */
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorEnvelope, REASON_PHRASES } from '../../contract/errors.ts';

const { status, message } = ERRORS.INVALID_REQUEST;
const envelope: ErrorEnvelope = {
  statusCode: status,
  error: REASON_PHRASES[status],
  message,
  code: 'INVALID_REQUEST',
};
const body = JSON.stringify(envelope);
const ANSWER = [
  `HTTP/1.1 ${status} ${REASON_PHRASES[status]}`,
  'content-type: application/json',
  `content-length: ${Buffer.byteLength(body)}`,
  'connection: close',
  '',
  body,
].join('\r\n');

/** Answers malformed requests, bodies that end early and time-outs of `server`, and closes their connections. */
export function answerBadRequests(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => latest.set(request.socket, response));
  server.on('clientError', (_error, socket) => {
    const response = latest.get(socket);
    // When another answer is half sent, the envelope would become a part of its body.
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || isAnswering) socket.destroy();
    else socket.end(ANSWER, () => socket.destroy());
  });
}
