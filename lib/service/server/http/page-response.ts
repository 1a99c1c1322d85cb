/** The answer with a page or a file of ours, for browsers. Its policy allows only a few things. */

/** Makes the answer. `policy` is its Content-Security-Policy. */
export function pageResponse(body: string, contentType: string, policy: string): Response {
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
  });
}
