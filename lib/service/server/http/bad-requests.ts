/** Answers with the envelope when no request can be formed. Node itself would answer without a body, and so without a code for clients. */
import type { Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode, type ErrorEnvelope, REASON_PHRASES } from '../../contract/errors.ts';

/** Answers malformed requests, CONNECT, uploads that take too long and unknown expectations, and closes their connections. */
export function answerBadRequests(server: Server | SecureServer): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => latest.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    // When another answer is half sent, the envelope would become a part of its body.
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || isAnswering) socket.destroy();
    else socket.end(answerOf(codeOf(error)), () => socket.destroy());
  });
  // Node closes such a connection without a word when nobody listens, and leaves the errors of its socket to the listener.
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(answerOf('ROUTE_NOT_FOUND'), () => socket.destroy());
  });
  server.on('checkExpectation', (request, response) => {
    const { status, body } = envelopeOf('EXPECTATION_FAILED');
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, connection: 'close' }).end(body);
    request.resume();
  });
}

const codeOf = ({ code }: NodeJS.ErrnoException): ErrorCode =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'INVALID_REQUEST';

function envelopeOf(code: ErrorCode): { readonly status: number; readonly body: string } {
  const { status, message } = ERRORS[code];
  const envelope: ErrorEnvelope = { statusCode: status, error: REASON_PHRASES[status], message, code };
  return { status, body: JSON.stringify(envelope) };
}

/** Returns the answer as it goes over the wire, because there is no response object to write it with. */
function answerOf(code: ErrorCode): string {
  const { status, body } = envelopeOf(code);
  return [
    `HTTP/1.1 ${status} ${REASON_PHRASES[ERRORS[code].status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
