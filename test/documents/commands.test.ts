/** docs/commands.md is what the program says of itself. To write it anew, run this file with `-u`, and review the difference. */
import { expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { quietConsole } from '../local/console.ts';
import { COMMANDS, commandsPage } from './commands.ts';

const PAGE = '../../docs/commands.md';

test('docs/commands.md has every command with its purpose', async () => {
  const page = commandsPage(createProgram(quietConsole(), () => undefined));
  for (const { path, description } of COMMANDS.slice(1)) {
    expect(page).toContain(`| \`${path}`);
    expect(page).toContain(`| ${description} |`);
  }
  await expect(page).toMatchFileSnapshot(PAGE);
});
