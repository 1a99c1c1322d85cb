/** An S3, a Secrets Manager and a Step Functions on a loopback port, for code that runs outside the test's process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeAws {
  readonly url: string;
  /** Bytes by `bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** Inputs of StartExecution, in order. */
  readonly executions: { name: string; stateMachineArn: string; input: string }[];
  close(): Promise<void>;
}

export async function startFakeAws(): Promise<FakeAws> {
  const objects: FakeAws['objects'] = new Map();
  const executions: FakeAws['executions'] = [];
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (request.headers['x-amz-target'] === 'AWSStepFunctions.StartExecution') {
      executions.push(JSON.parse(body.toString()));
      answer(response, 200, { executionArn: 'arn:aws:states:x:1:execution:m:n', startDate: 1 });
      return;
    }
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') {
      answer(response, 200, { SecretString: 'a secret' });
      return;
    }
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://fake').pathname.slice(1));
    answerAsS3(objects, request, response, path, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, objects, executions, close };
}

function answerAsS3(
  objects: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: Buffer,
): void {
  const found = objects.get(path);
  if (request.method === 'PUT') {
    const isRefused = request.headers['if-none-match'] === '*' && found !== undefined;
    if (!isRefused) objects.set(path, body);
    answer(response, isRefused ? 412 : 200);
  } else if (found) {
    response.writeHead(200, { 'content-length': found.length });
    response.end(request.method === 'GET' ? found : undefined);
  } else answer(response, 404);
}

function answer(response: ServerResponse, status: number, json?: object): void {
  response.writeHead(status, { 'content-type': json ? 'application/x-amz-json-1.0' : 'application/xml' });
  response.end(json ? JSON.stringify(json) : undefined);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
