import { Argument, Command } from 'commander';
import type { CommandContext } from '../program.ts';
import type { Shell } from './write-completion.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** `lintel completion` */
export const completionCommand = ({ terminal }: CommandContext): Command =>
  new Command('completion')
    .description('Print a script with which a shell completes commands and options of lintel.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash: lintel completion bash > ~/.local/share/bash-completion/completions/lintel
zsh:  lintel completion zsh > a folder of $fpath, as _lintel
fish: lintel completion fish > ~/.config/fish/completions/lintel.fish`,
    )
    .action(async (shell: Shell, _options: object, command: Command) => {
      const { writeCompletion } = await import('./write-completion.ts');
      const { readCommandTree } = await import('./read-command-tree.ts');
      terminal.print(writeCompletion(shell, readCommandTree(command.parent ?? command)));
    });
