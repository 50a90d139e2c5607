import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { askHealth } from '../images/ask-health.mjs';

const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 3_000;
/** A little more than a service gives itself. */
const STOP_DEADLINE_MS = 28_000;

/** One service as a child process: its lines with its name in front, its readiness, its end. */
export class ServiceProcess {
  #plan;
  #print;
  #child;
  #startedAt = 0;
  #readyMs;
  #end;
  #hasEnded;
  /** Why it is not ready, for people. */
  state = 'not started';

  /**
   * @param {import('./plan-processes.mjs').PlannedService} plan
   * @param {(line: string) => void} print
   */
  constructor(plan, print) {
    this.#plan = plan;
    this.#print = print;
    /** Settles when the process has ended, with the way it did. */
    this.ended = new Promise((resolve) => {
      this.#hasEnded = resolve;
    });
  }

  get name() {
    return this.#plan.name;
  }

  get isReady() {
    return this.#readyMs !== undefined;
  }

  get isRunning() {
    return this.#child !== undefined && this.#end === undefined;
  }

  /** A process that was not ready had nothing to finish. */
  get endedCleanly() {
    return this.#end === 'code 0' || !this.isReady;
  }

  get summary() {
    return `pid ${this.#child.pid}, ready after ${(this.#readyMs / 1000).toFixed(1)} s, ${this.#plan.url}`;
  }

  start() {
    this.#startedAt = Date.now();
    this.state = 'starting';
    this.#child = spawn(process.execPath, this.#plan.parameters, {
      // A group of its own: Ctrl-C is for us, who stop the services in order. The channel closes when we die.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: this.#plan.environment,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#print(`${this.name.padEnd(7)} | ${line}`));
    }
    const end = (how) => {
      this.#end ??= how;
      this.#hasEnded(this.#end);
    };
    this.#child.once('error', (error) => end(error.message));
    // `close` comes after the last line, `exit` may come before it.
    this.#child.once('close', (code, signal) => end(signal === null ? `code ${code}` : `signal ${signal}`));
  }

  /** Returns when `/health/ready` responds, or when the process has ended. */
  async whenReady() {
    while (this.#end === undefined) {
      if (await this.#probe()) {
        this.#readyMs = Date.now() - this.#startedAt;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #probe() {
    try {
      const { status, text } = await askHealth(this.#plan.url, PROBE_TIMEOUT_MS);
      const { checks = {} } = JSON.parse(text);
      const down = Object.keys(checks).filter((name) => checks[name] !== 'up');
      this.state = down.length === 0 ? `status ${status}` : `not up: ${down.join(', ')}`;
      return status === 200;
    } catch {
      this.state = `${this.#plan.url} does not respond`;
      return false;
    }
  }

  /** Asks the process to finish what it does and end; ends it when it takes too long. */
  async stop() {
    if (!this.isRunning) return;
    const deadline = setTimeout(() => this.kill(), STOP_DEADLINE_MS);
    this.#child.kill('SIGTERM');
    await this.ended;
    clearTimeout(deadline);
  }

  /** Ends the process at once. */
  kill() {
    if (this.isRunning) this.#child.kill('SIGKILL');
  }
}
