const RealDate = Date;

/** `Date` with a time that tests move. Timers and `performance` are not moved. */
export interface MovedDate {
  /** Moves `new Date()` and `Date.now()` of this process; a negative number moves them back. */
  move(ms: number): void;
  /** How far they are moved, in milliseconds. */
  movedMs(): number;
  /** Gives the process its real `Date` back. */
  end(): void;
}

/** Replaces the `Date` of this process. */
export function replaceDate(): MovedDate {
  let movedMs = 0;
  const now = (): number => RealDate.now() + movedMs;
  const Moved: DateConstructor = new Proxy(RealDate, {
    construct: (target, values, newTarget: DateConstructor) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget === Moved ? target : newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, member, receiver) => (member === 'now' ? now : Reflect.get(target, member, receiver)),
  });
  globalThis.Date = Moved;
  return {
    move(ms) {
      movedMs += ms;
    },
    movedMs: () => movedMs,
    end() {
      movedMs = 0;
      if (globalThis.Date === Moved) globalThis.Date = RealDate;
    },
  };
}
