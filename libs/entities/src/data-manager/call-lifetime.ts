/** How long the objects that a call of application code received may use the database. */
export interface CallLifetime {
  readonly hasEnded: boolean;
  /** Calls `callback` when the call ends; immediately if it has ended. */
  onEnd(callback: () => void): void;
}

/** The lifetime of a call, with its end. */
export class OpenLifetime implements CallLifetime {
  #callbacks: (() => void)[] | undefined;
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  onEnd(callback: () => void): void {
    if (this.#hasEnded) callback();
    // Created on first use: few calls need it.
    else this.#callbacks = [...(this.#callbacks ?? []), callback];
  }

  end(): void {
    this.#hasEnded = true;
    for (const callback of this.#callbacks ?? []) callback();
    this.#callbacks = undefined;
  }
}

/** Of tools, which are no calls. */
export const ENDLESS: CallLifetime = { hasEnded: false, onEnd: () => {} };
