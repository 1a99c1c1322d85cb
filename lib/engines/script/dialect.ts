/** Translates what JScript accepts beyond the standard of JavaScript into code that QuickJS accepts. */
import { skip } from './rewrite-eval.ts';

/** Conditions of `@if` that are false on every Windows of today. Every other condition counts as true. */
const UNMET =
  /@_(?:mac|alpha|mc680x0|powerpc|win16)\b|!\s*@_(?:win32|win64|x86|jscript)\b|\bfalse\b|^\s*\(?\s*0\s*\)?\s*$/i;

/**
 * Returns the code with conditional compilation resolved, and functions that are assigned to members written as assignments. Variables of
 * conditional compilation get the prefix before their names.
 */
export function translateJScript(code: string, prefix: string): string {
  const resolved = /@(?:cc_on|if|set)\b/.test(code) ? resolveConditions(code, prefix) : code;
  return resolved.replace(/\bfunction\s{1,40}([\w$]{1,200}(?:\.[\w$]{1,200}){1,10})\s{0,40}\(/g, '$1 = function (');
}

/** Resolves conditional compilation, also in comments, in one pass over its directives. */
function resolveConditions(code: string, prefix: string): string {
  const opened = code
    .replace(/\/\*@cc_on\b/g, ' @cc_on ')
    .replace(/\/\*@(?=if|set|else|elif|end)/g, ' @')
    .replace(/\/\/@(?=cc_on|if|set|else|elif|end)/g, ' @')
    .replace(/@\*\//g, ' ');
  const directive = /@cc_on\b|@(?:if|elif)\s{0,20}\(([^\n]{0,300}?)\)(?=\s|$)|@else\b|@end\b/g;
  const out: string[] = [];
  const branches: { taking: boolean; taken: boolean }[] = [];
  let from = 0;
  const take = (piece: string) => {
    if (branches.every(({ taking }) => taking)) out.push(piece);
  };
  for (const match of opened.matchAll(directive)) {
    take(opened.slice(from, match.index));
    from = match.index + match[0].length;
    const branch = branches.at(-1);
    const isMet = !UNMET.test(match[1] ?? '');
    if (match[0].startsWith('@if')) branches.push({ taking: isMet, taken: isMet });
    else if (match[0].startsWith('@end')) branches.pop();
    else if (branch && match[0].startsWith('@el')) {
      branch.taking = !branch.taken && (match[0].startsWith('@else') || isMet);
      branch.taken ||= branch.taking;
    }
  }
  take(opened.slice(from));
  return out
    .join('')
    .replace(/@set\s{1,20}@(\w{1,80})\s{0,20}=/g, (_, name: string) => `var ${prefix}${name} =`)
    .replace(/@_jscript_version\b/g, '5.8')
    .replace(/@_jscript_build\b/g, '16384')
    .replace(/@_(?:win32|win64|jscript|amd64)\b/g, 'true')
    .replace(/@_\w{1,40}/g, 'NaN')
    .replace(/@(?=[A-Za-z])(\w{1,80})/g, (_, name: string) => prefix + name);
}

/** Repairs code that does not compile. An assignment to a call sets the default property of an object, by its member `put`. */
export function repairSyntax(code: string, put: string): string {
  return assignCalls(code, put)
    .replace(/^\s{0,200}<!--[^\n]{0,1000}$/gm, '')
    .replace(/^\s{0,200}-->[^\n]{0,1000}$/gm, '');
}

/** Writes every `f(a) = b;` as `f.put(a, b);`, with any calls in `a` and `b`, in one pass over the code. */
function assignCalls(code: string, put: string): string {
  const out: string[] = [];
  const open: number[] = [];
  // For each assigned value, the number of open parentheses at which it ends.
  const values: number[] = [];
  let last = '';
  for (let at = 0; at < code.length; ) {
    const end = skip(code, at, last);
    if (end > at) {
      out.push(code.slice(at, end));
      last = '"';
      at = end;
      continue;
    }
    const char = code.charAt(at);
    if (values.length > 0 && values.at(-1) === open.length && /[;\n)}]/.test(char)) {
      out.push(')');
      values.pop();
      continue;
    }
    if (char === '(') open.push(out.length);
    const from = char === ')' ? open.pop() : undefined;
    const assigned = from === undefined ? null : /^\)\s{0,20}=(?![=>])\s{0,20}/.exec(code.slice(at, at + 50));
    if (from !== undefined && assigned && /[\w$)\]]\s{0,9}$/.test(out.slice(Math.max(0, from - 10), from).join(''))) {
      out[from] = `.${put}(`;
      out.push(', ');
      values.push(open.length);
      at += assigned[0].length;
      last = '=';
      continue;
    }
    out.push(char);
    if (!/\s/.test(char)) last = char;
    at += 1;
  }
  return out.join('') + ')'.repeat(values.length);
}
