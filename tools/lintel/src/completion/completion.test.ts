import { spawnSync } from 'node:child_process';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { createProgram } from '../program.ts';
import { run } from '../run.ts';
import { readCommandTree } from './read-command-tree.ts';

async function scriptFor(shell: string): Promise<string> {
  const terminal = fakeTerminal();
  expect(await run(['completion', shell], terminal)).toBe(0);
  return terminal.output();
}

/** What bash offers after these words; the last one is being typed. */
async function offered(...words: string[]): Promise<readonly string[]> {
  const typed = ['lintel', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${await scriptFor('bash')}
    COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _lintel; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('bash completes commands, their commands, options and values', async () => {
  expect(await offered('us')).toEqual(['user']);
  expect(await offered('user', '')).toEqual(expect.arrayContaining(['add', 'list', 'passwd', 'grant', 'revoke']));
  expect(await offered('user', 'grant', 'ada', '--ro')).toEqual(['--role', '--row-level-role']);
  expect(await offered('config', 'print', '--mode', '')).toEqual(['standalone', 'services']);
  expect(await offered('config', 'print', 'gat')).toEqual(['gateway']);
  expect(await offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
});

test.each(['bash', 'zsh', 'fish'])('the script for %s has every command and every option', async (shell) => {
  const script = await scriptFor(shell);
  const tree = readCommandTree(createProgram(fakeTerminal(), () => {}));
  expect(tree.length).toBeGreaterThan(20);
  for (const { path, commands, options } of tree) {
    expect(script).toContain(path.join(' '));
    for (const { word } of [...commands, ...options])
      expect(script).toContain(shell === 'fish' ? word.replace(/^--/, '') : word);
  }
});

test('a shell that there is no script for is refused with those that there are', async () => {
  const terminal = fakeTerminal();
  expect(await run(['completion', 'csh'], terminal)).toBe(2);
  expect(terminal.notes()).toContain('bash, zsh, fish');
});
