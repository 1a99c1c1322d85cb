/** JScript is not JavaScript: what its engine accepts beyond the standard is turned into what QuickJS accepts. */

/** Conditions of `@if` that no Windows of today meets. Every other one is taken to be met. */
const UNMET =
  /@_(?:mac|alpha|mc680x0|powerpc|win16)\b|!\s*@_(?:win32|win64|x86|jscript)\b|\bfalse\b|^\s*\(?\s*0\s*\)?\s*$/i;

/** The code with conditional compilation resolved, and functions that are assigned to members written as assignments. */
export function translateJScript(code: string): string {
  const resolved = /@(?:cc_on|if|set)\b/.test(code) ? resolveConditions(code) : code;
  return resolved.replace(/\bfunction\s{1,40}([\w$]{1,200}(?:\.[\w$]{1,200}){1,10})\s{0,40}\(/g, '$1 = function (');
}

/** Conditional compilation, also where it hides in comments. One pass over its directives. */
function resolveConditions(code: string): string {
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
    .replace(/@set\s{1,20}@(\w{1,80})\s{0,20}=/g, 'var $$cc_$1 =')
    .replace(/@_jscript_version\b/g, '5.8')
    .replace(/@_jscript_build\b/g, '16384')
    .replace(/@_(?:win32|win64|jscript|amd64)\b/g, 'true')
    .replace(/@_\w{1,40}/g, 'NaN')
    .replace(/@(?=[A-Za-z])(\w{1,80})/g, '$$cc_$1');
}

/** For code that does not compile: assignments to a call, which are assignments to the default property of an object. */
export function repairSyntax(code: string): string {
  return code
    .replace(/([\w$.]{1,200})\(([^()\n]{0,300})\)\s{0,20}=(?!=)\s{0,20}([^;\n]{1,2000})/g, '$1.__item_put($2, $3)')
    .replace(/^\s{0,200}<!--[^\n]{0,1000}$/gm, '')
    .replace(/^\s{0,200}-->[^\n]{0,1000}$/gm, '');
}
