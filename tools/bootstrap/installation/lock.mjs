import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATE } from '../paths.mjs';

const LOCK = join(STATE, 'bootstrap.lock');

/**
 * Lets one bootstrap at a time install and build; a second one waits, and finds the work done.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  mkdirSync(STATE, { recursive: true });
  let isAnnounced = false;
  while (!take()) {
    if (!isAnnounced) process.stderr.write('  … Waiting for another start that is installing or building\n');
    isAnnounced = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const release = () => rmSync(LOCK, { force: true });
  process.on('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

function take() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const owner = ownerOf(LOCK);
  if (owner === undefined || !isAlive(owner)) rmSync(LOCK, { force: true });
  return false;
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
