import type { Command } from 'commander';

/** A word with a description. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** What may follow the words of a command. */
export interface CommandNode {
  /** `[]` for `lintel` itself, `['user', 'add']`. */
  readonly path: readonly string[];
  readonly commands: readonly Candidate[];
  readonly options: readonly Candidate[];
  /** Values of an argument that has a fixed list. */
  readonly values: readonly string[];
  /** Fixed values by the option that they belong to. */
  readonly valuesOf: Readonly<Record<string, readonly string[]>>;
}

/** The commands of a program, each before the commands in it. */
export function readCommandTree(program: Command, path: readonly string[] = []): readonly CommandNode[] {
  const options = program.options.flatMap(({ long, description, argChoices }) =>
    long == null ? [] : [{ word: long, description, values: argChoices ?? [] }],
  );
  const node: CommandNode = {
    path,
    commands: program.commands.map((command) => ({ word: command.name(), description: command.description() })),
    options: [
      ...options.map(({ word, description }) => ({ word, description })),
      { word: '--help', description: 'show what there is' },
    ],
    values: program.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    valuesOf: Object.fromEntries(
      options.filter(({ values }) => values.length > 0).map(({ word, values }) => [word, values]),
    ),
  };
  return [node, ...program.commands.flatMap((command) => readCommandTree(command, [...path, command.name()]))];
}
