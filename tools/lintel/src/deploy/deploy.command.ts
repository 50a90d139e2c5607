import { Command } from 'commander';
import type { CommandContext } from '../program.ts';

/** `lintel deploy …` */
export function deployCommand({ terminal, setExitCode }: CommandContext): Command {
  const group = new Command('deploy').description('Settings with which an application is deployed.');
  group
    .command('check')
    .description('Print everything that keeps the services of a compose file, or of variables, from starting.')
    .argument('[file]', 'a compose file, or a file with a variable in each line', 'compose.yaml')
    .addHelpText('after', '\nA compose file gets the variables of this shell and of the file .env in its folder.')
    .action(async (file: string) => {
      const { checkDeployment } = await import('./check-deployment.ts');
      setExitCode(await checkDeployment(file, terminal));
    });
  return group;
}
