import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { announce } from './announce.ts';

export interface ForeignProgram {
  readonly file: string;
  readonly parameters: readonly string[];
  readonly port: number;
  /** Its folder, which is removed at the end. */
  readonly folder: string;
}

/** Runs a program that is no server of ours as a child of this process, which announces it once its port accepts connections. */
export async function announceProgram({ file, parameters, port, folder }: ForeignProgram): Promise<void> {
  const child = spawn(file, parameters, { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  announce(`http://127.0.0.1:${port}`);
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
