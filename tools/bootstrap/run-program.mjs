import { spawn } from 'node:child_process';

/**
 * Runs a program and collects what it prints.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {{ cwd: string, env?: Record<string, string | undefined>, onLine?: (line: string) => void }} options
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program cannot be started
 */
export function runProgram(program, parameters, { cwd, env = process.env, onLine }) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => {
      output += String(chunk);
      if (onLine !== undefined) for (const line of String(chunk).split('\n')) if (line.trim() !== '') onLine(line);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code === null ? 1 : code, output }));
  });
}
