// The table of commands as completion scripts. bash and zsh share one way: a function that looks at the
// command and the word before the cursor. fish has declarations of its own.

import type { CommandSpec, Words } from './command-spec.ts';

export const completionScripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

// Names come from Baton itself, so that completion knows what runs right now.
const ASK: Record<'execution' | 'agent', string> = {
  execution: 'baton list --ids 2>/dev/null',
  agent: 'baton list --agents 2>/dev/null',
};

const topWords = (commands: readonly CommandSpec[]) => {
  return [...commands.filter(command => !command.hidden).map(command => command.name), 'help', '--help', '--version'];
};
const optionWords = (command: CommandSpec) => [...Object.keys(command.options), 'help'].map(name => `--${name}`);

function bashScript(commands: readonly CommandSpec[]): string {
  return `# bash completion for baton: eval "$(baton completion bash)"
_baton() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" verb="\${COMP_WORDS[1]}"
  local place=0 i
  for ((i = 2; i < COMP_CWORD; i++)); do [[ "\${COMP_WORDS[i]}" == -* ]] || place=$((place + 1)); done
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${topWords(commands).join(' ')}" -- "$word"))
    return
  fi
  case "$verb" in
${commands.map(bashCommand).join('\n')}
    help) COMPREPLY=($(compgen -W "${topWords(commands).join(' ')}" -- "$word")) ;;
  esac
}
complete -F _baton baton`;
}

function bashCommand(command: CommandSpec): string {
  const valued = Object.entries(command.options).flatMap(([name, { value, short, words }]) => {
    if (value === undefined) return [];
    const names = short === undefined ? `--${name}` : `--${name}|-${short}`;
    return [`        ${names}) ${words === undefined ? ':' : bashReply(words)}; return ;;`];
  });
  const places = command.positionals.map(({ words }, place) => `        ${place}) ${bashReply(words)} ;;`);
  return [
    `    ${command.name})`,
    ...(valued.length > 0 ? ['      case "$before" in', ...valued, '      esac'] : []),
    `      if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "${optionWords(command).join(' ')}" -- "$word")); return; fi`,
    ...(places.length > 0 ? ['      case "$place" in', ...places, '      esac'] : []),
    '      ;;',
  ].join('\n');
}

function bashReply(words: Words): string {
  if (words === 'file') return 'COMPREPLY=($(compgen -f -- "$word"))';
  if (words === 'folder') return 'COMPREPLY=($(compgen -d -- "$word"))';
  const list = typeof words === 'string' ? `$(${ASK[words]})` : words.join(' ');
  return `COMPREPLY=($(compgen -W "${list}" -- "$word"))`;
}

// zsh has a layer that understands scripts for bash; one script less to go wrong.
function zshScript(commands: readonly CommandSpec[]): string {
  return `#compdef baton
# zsh completion for baton: eval "$(baton completion zsh)"
autoload -U +X compinit && (( \${+functions[compdef]} )) || compinit
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`;
}

function fishScript(commands: readonly CommandSpec[]): string {
  const top = commands
    .filter(command => !command.hidden)
    .map(({ name, summary }) => `complete -c baton -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`);
  return [
    '# fish completion for baton: baton completion fish > ~/.config/fish/completions/baton.fish',
    'complete -c baton -f',
    'complete -c baton -l help -s h -d "show help"',
    'complete -c baton -n __fish_use_subcommand -l version -d "print the version"',
    ...top,
    ...commands.flatMap(fishCommand),
  ].join('\n');
}

function fishCommand(command: CommandSpec): string[] {
  const where = `complete -c baton -n "__fish_seen_subcommand_from ${command.name}"`;
  const options = Object.entries(command.options).map(([name, { short, value, words, summary }]) => {
    const takes = value === undefined ? '' : words === undefined ? ' -x' : fishTakes(words, ' -r');
    return `${where} -l ${name}${short === undefined ? '' : ` -s ${short}`}${takes} -d ${quoted(summary)}`;
  });
  return [...options, ...command.positionals.map(({ words }) => `${where}${fishTakes(words, '')}`)];
}

function fishTakes(words: Words, required: string): string {
  if (words === 'file') return `${required} -F`;
  if (words === 'folder') return `${required} -a "(__fish_complete_directories)"`;
  return `${required} -a ${typeof words === 'string' ? `"(${ASK[words]})"` : quoted(words.join(' '))}`;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
