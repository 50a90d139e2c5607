import { createRestartDelays } from '../../tools/bootstrap/supervision/restart-delays.mjs';
import { ServiceProcess } from './service-process.mjs';

/**
 * A service that is started again when its process dies, with back-off, until it is stopped. One that dies before it was
 * ever ready is not: what keeps it from starting is for people.
 */
export class SupervisedService {
  #plan;
  #print;
  #process;
  #delays = createRestartDelays();
  #hasBeenReady = false;
  #isStopping = false;
  #endWaiting = () => {};
  #giveUp;

  /**
   * @param {import('./plan-processes.mjs').PlannedService} plan
   * @param {(line: string) => void} print
   */
  constructor(plan, print) {
    this.#plan = plan;
    this.#print = print;
    this.#process = new ServiceProcess(plan, print);
    /** Settles when the service is not started any more, with the reason. */
    this.ended = new Promise((resolve) => {
      this.#giveUp = resolve;
    });
  }

  get name() {
    return this.#plan.name;
  }

  get isReady() {
    return this.#process.isReady;
  }

  get isRunning() {
    return this.#process.isRunning;
  }

  get endedCleanly() {
    return this.#process.endedCleanly;
  }

  get state() {
    return this.#process.state;
  }

  get summary() {
    return this.#process.summary;
  }

  start() {
    this.#run().then((reason) => this.#giveUp(reason));
  }

  /** Resolves when the service is ready for the first time, or its process has ended before. */
  whenReady() {
    return this.#process.whenReady();
  }

  /** Asks the process to finish what it does and end. Not started again. */
  async stop() {
    this.#isStopping = true;
    this.#endWaiting();
    await this.#process.stop();
  }

  /** Ends the process at once. Not started again. */
  kill() {
    this.#isStopping = true;
    this.#endWaiting();
    this.#process.kill();
  }

  /** Starts processes, one after the other, and returns why there is no further one. */
  async #run() {
    for (;;) {
      const startedAt = Date.now();
      const current = this.#process;
      current.start();
      if (this.#hasBeenReady) this.#announce(current);
      const how = await current.ended;
      this.#hasBeenReady ||= current.isReady;
      if (this.#isStopping) return `has been stopped (${how})`;
      if (!this.#hasBeenReady) return `ended by itself (${how})`;
      const delayMs = this.#delays.after({ ranMs: Date.now() - startedAt, wasReady: current.isReady });
      if (delayMs === undefined) return `ended again (${how}) before it was ready`;
      this.#print(
        `${this.name} ended by itself (${how}); it is started again in ${delayMs / 1000} s. Its last lines say why.`,
      );
      await this.#wait(delayMs);
      if (this.#isStopping) return `has been stopped (${how})`;
      this.#process = new ServiceProcess(this.#plan, this.#print);
    }
  }

  #announce(current) {
    current.whenReady().then(() => {
      if (current.isReady) this.#print(`${this.name} is ready again: ${current.summary}`);
    });
  }

  #wait(delayMs) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#endWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
