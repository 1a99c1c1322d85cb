/**
 * Completion for shells, from the same lists as the help. Each script finds the command that is being typed, and offers the possible next
 * words.
 */
import { allNodes, type CommandNode } from '../command-tree.ts';

/** The shells, each with the writer of its script. */
export const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
export type Shell = keyof typeof SHELLS;

/** The names under which the command is installed. */
const NAMES = ['airlock', 'mail-airlock'];

/** Returns commands below another one, quoted for `case`: the words so far, and the next one. */
const stepsOf = (root: CommandNode) =>
  allNodes(root)
    .slice(1)
    .map(({ path }) => quoted(path));

const optionsOf = ({ options, globalOptions }: CommandNode) => [...options, ...globalOptions];
const namesOf = (node: CommandNode) => optionsOf(node).flatMap(({ names }) => names);
const withValue = (node: CommandNode) => optionsOf(node).flatMap(({ names, takesValue }) => (takesValue ? names : []));
/** Returns the words that are possible at the place of a verb. */
const choicesOf = (node: CommandNode) => node.arguments.flatMap(({ choices }) => choices);
/** Returns options with a closed list of values: the words up to the option, and the values. */
const valuesOf = (root: CommandNode) =>
  allNodes(root).flatMap(({ path, options }) =>
    options.flatMap(({ names, choices }) =>
      choices.length === 0
        ? []
        : [[names.map((name) => quoted(`${path} ${name}`)).join('|'), choices.join(' ')] as const],
    ),
  );
const verbOf = ({ path }: CommandNode) => path.slice(path.lastIndexOf(' ') + 1);

/** Quotes a text for a shell, so that no part of it is a variable or a command. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function bashScript(root: CommandNode): string {
  const cases = allNodes(root).map((node) =>
    [
      `    ${quoted(node.path)})`,
      `      verbs=${quoted([...node.commands.map(verbOf), ...choicesOf(node)].join(' '))}`,
      `      options=${quoted(namesOf(node).join(' '))}`,
      `      valued=${quoted(` ${withValue(node).join(' ')} `)};;`,
    ].join('\n'),
  );
  const values = valuesOf(root).map(
    ([where, choices]) => `    ${where}) COMPREPLY=($(compgen -W ${quoted(choices)} -- "$word")); return;;`,
  );
  return `# Completion of airlock for bash. Load it with: source <(airlock completion bash)
_airlock() {
  local at=airlock word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} verbs='' options='' valued='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${stepsOf(root).join('|')}) at="$at \${COMP_WORDS[i]}";;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  case "$at $before" in
${values.join('\n')}
  esac
  if [[ $valued == *" $before "* ]]; then return; fi
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $verbs ]]; then COMPREPLY=($(compgen -W "$verbs" -- "$word")); fi
}
complete -o default -F _airlock ${NAMES.join(' ')}
`;
}

function zshScript(root: CommandNode): string {
  const described = (name: string, description: string) => quoted(`${name.replaceAll(':', '\\:')}:${description}`);
  const cases = allNodes(root).map((node) => {
    const verbs = [
      ...node.commands.map((each) => described(verbOf(each), each.description)),
      ...choicesOf(node).map(quoted),
    ];
    const options = optionsOf(node).flatMap(({ names, description }) =>
      names.map((name) => described(name, description)),
    );
    return [
      `    ${quoted(node.path)})`,
      `      verbs=(${verbs.join(' ')})`,
      `      options=(${options.join(' ')})`,
      `      valued=${quoted(` ${withValue(node).join(' ')} `)};;`,
    ].join('\n');
  });
  const values = valuesOf(root).map(([where, choices]) => `    ${where}) compadd ${choices}; return;;`);
  return `#compdef ${NAMES.join(' ')}
# Completion of airlock for zsh. Load it with: source <(airlock completion zsh)
_airlock() {
  local at=airlock valued i
  local -a verbs options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${stepsOf(root).join('|')}) at="$at \${words[i]}";;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  if [[ $valued == *" \${words[CURRENT-1]} "* ]]; then _files
  elif [[ \${words[CURRENT]} == -* ]]; then _describe -o option options
  elif (( \${#verbs} )); then _describe verb verbs
  else _files; fi
}
compdef _airlock ${NAMES.join(' ')}
`;
}

function fishScript(root: CommandNode): string {
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = allNodes(root).flatMap((node) => {
    const where = `complete -c $name -n ${text(`__airlock_at ${text(node.path)}`)}`;
    const verbs = node.commands.map((each) => `${where} -f -a ${text(verbOf(each))} -d ${text(each.description)}`);
    const choices = choicesOf(node).map((each) => `${where} -f -a ${text(each)}`);
    const options = optionsOf(node).map(({ names, takesValue, description, choices: values }) => {
      const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      const value = values.length > 0 ? ` -x -a ${text(values.join(' '))}` : takesValue ? ' -r' : '';
      return `${where} ${flags.join(' ')}${value} -d ${text(description)}`;
    });
    return [...verbs, ...choices, ...options];
  });
  return `# Completion of airlock for fish. Load it with: airlock completion fish | source
function __airlock_at
  set -l at airlock
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${allNodes(root)
        .slice(1)
        .map(({ path }) => text(path))
        .join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv"
end
for name in ${NAMES.join(' ')}
  ${lines.join('\n  ')}
end
`;
}
