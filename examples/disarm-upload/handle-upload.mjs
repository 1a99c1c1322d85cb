/** Answers an upload with the safe file, or with 422 and a reason. The bytes that came in are never answered as they are. */
import { DEFAULT_ENGINE_LIMITS, disarm } from '@mail-airlock/engines';

export async function handleUpload(request, response) {
  const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname.slice(1));
  const bytes = await bodyOf(request, DEFAULT_ENGINE_LIMITS.inputBytes);
  if (bytes === null) return end(response, 413, 'text/plain', 'the file is too large');
  const report = await disarm(bytes, { name });
  if (report.outcome === 'failed') return end(response, 422, 'application/json', JSON.stringify(report.failure));
  response.setHeader('x-removed', encodeURIComponent(report.details.map(({ kind }) => kind).join(', ')));
  // A browser must save the file, with any content.
  response.setHeader('content-disposition', 'attachment');
  return end(response, 200, 'application/octet-stream', report.bytes);
}

async function bodyOf(request, maxBytes) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function end(response, status, contentType, body) {
  response.statusCode = status;
  response.setHeader('content-type', contentType);
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(body);
}
