/** Reads simple scripts of a page without running them: where they send the browser, and whether they write the page. */

/** `location = "…"`, `location.href = '…'`, `location.replace(`…`)`, `window.open("…", "_self")`; with one or two decoders around it. */
const ASSIGNMENT =
  /(?:^|[^\w$.])(?:(?:window|self|top|parent|document)\s*\.\s*){0,2}location(?:\s*\.\s*(?:href|replace|assign))?\s*(?:=(?!=)|\()\s*((?:(?:atob|decodeURIComponent|unescape|decodeURI)\s*\(\s*){0,2})(["'`])([^"'`\n]{1,2048})\2/;
/** Code that runs only after a click or a key press must not count as a redirect. */
const INSIDE_HANDLER = /(?:function\s*[\w$]*\s*\([^)]{0,200}\)|=>)\s*\{[^}]{0,2000}$/;
const IMMEDIATE =
  /(?:setTimeout|onload|DOMContentLoaded|\(\s*function|\(\s*\(\s*\)\s*=>|addEventListener\s*\(\s*["']load)/;
/** The number of characters in front of an assignment in which its function is searched. */
const CONTEXT = 2_000;

/** Returns the address to which the code sends the browser on loading, as written. Returns null when there is none or it is not simple. */
export function scriptTarget(code: string): string | null {
  const match = ASSIGNMENT.exec(code);
  const target = match?.[3];
  if (!match || target === undefined || target.includes('${')) return null;
  const before = code.slice(Math.max(0, match.index - CONTEXT), match.index);
  if (INSIDE_HANDLER.test(before) && !IMMEDIATE.test(before)) return null;
  return decoded(target, match[1] ?? '');
}

function decoded(text: string, decoders: string): string | null {
  let result = text.replace(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, short: string, long: string) =>
    String.fromCharCode(Number.parseInt(short ?? long, 16)),
  );
  result = result.replaceAll('\\/', '/');
  for (const decoder of (decoders.match(/[a-z]+/gi) ?? []).reverse()) {
    if (decoder === 'atob') result = Buffer.from(result, 'base64').toString('latin1');
    else
      try {
        result = decodeURIComponent(result);
      } catch {
        // The script itself would end with an error here.
        return null;
      }
  }
  return result;
}

/** Returns whether a long text is decoded and becomes the page or runs: `document.write(unescape('%3C…'))`, `eval(atob('…'))`. */
export function writesItself(code: string): boolean {
  const decodes = /\b(?:atob|unescape|decodeURIComponent|fromCharCode)\b/.test(code);
  const becomes = /\b(?:document\s*\.\s*write(?:ln)?|eval|Function|innerHTML|outerHTML|insertAdjacentHTML)\b/.test(
    code,
  );
  return (
    decodes &&
    becomes &&
    /(?:%[0-9a-f]{2}[^\s"'`]{0,2}){60}|[a-z0-9+/=]{400}|(?:\\x[0-9a-f]{2}){100}|(?:\d{2,3}\s*,\s*){100}/i.test(code)
  );
}
