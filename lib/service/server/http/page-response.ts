/** The answer with a page or a file of ours, for browsers: it may do nothing but what its policy says. */

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
