import { spawn } from 'node:child_process';

/** How long a program may go on after its last line. */
const END_WITHIN_MS = 30_000;

/**
 * Runs a program and collects what it prints.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {{ cwd: string, env?: Record<string, string | undefined>, onLine?: (line: string) => void, lastLine?: RegExp }} options
 *   `lastLine` is what the program says last: it is ended when it goes on for long after it
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program cannot be started
 */
export function runProgram(program, parameters, { cwd, env = process.env, onLine, lastLine }) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let ending;
    const endSoon = () => {
      output += '\nIt said its last line and did not end: something is left open.\n';
      child.kill('SIGKILL');
    };
    const collect = (chunk) => {
      output += String(chunk);
      if (lastLine?.test(String(chunk)) === true) ending ??= setTimeout(endSoon, END_WITHIN_MS);
      if (onLine !== undefined) for (const line of String(chunk).split('\n')) if (line.trim() !== '') onLine(line);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => {
      clearTimeout(ending);
      resolve({ code: code === null ? 1 : code, output });
    });
  });
}
