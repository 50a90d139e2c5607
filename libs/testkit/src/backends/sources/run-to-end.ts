import { spawn } from 'node:child_process';

/** Runs a program with its parameters; returns the last line of its error output if it fails. */
export function runToEnd(
  [program = '', ...parameters]: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly signal?: AbortSignal },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints = `${complaints}${String(chunk)}`.slice(-4000);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => {
      if (code === 0) resolve(undefined);
      else resolve(complaints.trim().split('\n').at(-1) || `it ended with code ${code}`);
    });
  });
}
