/** Finds a key that stands twice in one object of JSON, of which programs read the first or the last. */

/** Texts and signs of valid JSON; numbers and words are left out. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** Returns whether an object of valid JSON has a key twice, in any spelling (`a` and `\u0061`). Takes linear time. */
export function hasRepeatedKey(json: string): boolean {
  const open: (Set<string> | null)[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    if (token === '}' || token === ']') open.pop();
    if (token === ':') {
      const key = String(JSON.parse(text));
      if (open.at(-1)?.has(key)) return true;
      open.at(-1)?.add(key);
    }
    text = token;
  }
  return false;
}
