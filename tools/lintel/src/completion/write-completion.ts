import type { Candidate, CommandNode } from './read-command-tree.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A script that completes the commands; where nothing is known the shell completes names of files. */
export function writeCompletion(shell: Shell, nodes: readonly CommandNode[]): string {
  switch (shell) {
    case 'bash':
      return bash(nodes);
    case 'zsh':
      return zsh(nodes);
    case 'fish':
      return fish(nodes);
    default:
      return shell satisfies never;
  }
}

/** The most specific first: `user add` before `user`. */
const deepestFirst = (nodes: readonly CommandNode[]): readonly CommandNode[] =>
  [...nodes].sort((one, other) => other.path.length - one.path.length);

/** `' user add'|' user add '*`: the words so far, after which there may be arguments. */
function pattern({ path }: CommandNode): string {
  const words = path.map((word) => ` ${word}`).join('');
  return path.length === 0 ? "''" : `'${words}'|'${words} '*`;
}

const wordsOf = (candidates: readonly Candidate[]): string => candidates.map(({ word }) => word).join(' ');

function bash(nodes: readonly CommandNode[]): string {
  return `_lintel() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} line='' index candidates=''
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in -*) ;; *) line="$line \${COMP_WORDS[index]}" ;; esac
  done
  case "$line" in
${deepestFirst(nodes)
  .map(
    (node) =>
      `    ${pattern(node)}) candidates='${[wordsOf(node.commands), ...node.values, wordsOf(node.options)].filter(Boolean).join(' ')}' ;;`,
  )
  .join('\n')}
  esac
  case "$line $previous" in
${bashValues(nodes)}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _lintel lintel`;
}

const bashValues = (nodes: readonly CommandNode[]): string =>
  nodes
    .flatMap(({ path, valuesOf }) =>
      Object.entries(valuesOf).map(
        ([option, values]) => `    ' ${path.join(' ')}'*' ${option}') candidates='${values.join(' ')}' ;;`,
      ),
    )
    .join('\n');

function zsh(nodes: readonly CommandNode[]): string {
  return `#compdef lintel
_lintel() {
  local line='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || line="$line $word"
  done
  case "$line \${words[CURRENT-1]}" in
${zshValues(nodes)}
  esac
  case "$line" in
${deepestFirst(nodes)
  .map(
    (node) =>
      `    ${pattern(node)}) commands=(${zshList([...node.commands, ...node.values.map((word) => ({ word, description: word }))])}); options=(${zshList(node.options)}) ;;`,
  )
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
compdef _lintel lintel`;
}

const zshValues = (nodes: readonly CommandNode[]): string =>
  nodes
    .flatMap(({ path, valuesOf }) =>
      Object.entries(valuesOf).map(
        ([option, values]) =>
          `    ' ${path.join(' ')}'*' ${option}') commands=(${values.map(singleQuoted).join(' ')}); _describe value commands; return ;;`,
      ),
    )
    .join('\n');

const zshList = (candidates: readonly Candidate[]): string =>
  candidates.map(({ word, description }) => singleQuoted(`${word}:${description}`)).join(' ');

/** For bash and zsh. */
const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function fish(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const path = node.path.join(' ');
    // Commands and values follow the path itself, options also its arguments.
    const at = `complete -c lintel -n '__lintel_is ${path}'`;
    const within = node.path.length === 0 ? at : `complete -c lintel -n '__lintel_within ${path}'`;
    return [
      ...node.commands.map(({ word, description }) => `${at} -f -a ${word} -d ${fishQuoted(description)}`),
      ...node.values.map((value) => `${at} -f -a ${value}`),
      ...node.options.map(({ word, description }) => {
        const values = node.valuesOf[word];
        const choices = values === undefined ? '' : ` -x -a '${values.join(' ')}'`;
        return `${within} -l ${word.replace(/^--/, '')}${choices} -d ${fishQuoted(description)}`;
      }),
    ];
  });
  return `function __lintel_words
    set -l words (commandline -opc)
    set -e words[1]
    string match -v -- '-*' $words
end
function __lintel_is
    set -l words (__lintel_words)
    test "$words" = "$argv"
end
function __lintel_within
    set -l words (__lintel_words)
    string match -q -- "$argv" "$words"; or string match -q -- "$argv *" "$words"
end
${lines.join('\n')}`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
