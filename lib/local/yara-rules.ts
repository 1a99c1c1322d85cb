/** The operator's YARA rules, as AIRLOCK_YARA_RULES names them. */
import { type Console, complain } from './console.ts';

/** One line on stderr for each rule that does not work: the engines start without it, and nobody should believe that it is there. */
export async function reportRules(console: Console, folder: string): Promise<void> {
  const { ruleProblems, useRulesOf } = await import('../analysis/engines/static/yara.ts');
  useRulesOf(folder);
  for (const { where, message } of ruleProblems()) {
    const [line = ''] = message.split('\n');
    complain(console, `YARA rules: ${where} is left out: ${line}`);
  }
}
