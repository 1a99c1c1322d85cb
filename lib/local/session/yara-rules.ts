/** The operator's YARA rules, in the folder that AIRLOCK_YARA_RULES names. */
import { type Console, complain } from '../console.ts';

/** Prints a line on stderr for each broken rule: the engines start without it, and the operator must know. */
export async function reportRules(console: Console, folder: string): Promise<void> {
  const { ruleProblems, useRulesOf } = await import('../../engines/static/yara/yara.ts');
  useRulesOf(folder);
  for (const { where, message } of ruleProblems()) {
    const [line = ''] = message.split('\n');
    complain(console, `YARA rules: ${where} is left out: ${line}`);
  }
}
