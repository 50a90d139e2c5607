/** A question for the reason of a change; without a reason the change is not made. */
export interface ReasonQuestion {
  readonly close: (reason: string | undefined) => void;
}

let question: ReasonQuestion | undefined;
let listener: () => void = () => undefined;
/** The reason that the open question asks for, and in {@link withOneReason} also the last one. */
let asked: Promise<string | undefined> | undefined;
let runs = 0;

function show(next: ReasonQuestion | undefined): void {
  question = next;
  listener();
}

/** Asks the user; writes that are sent meanwhile get the same reason. Undefined: the user has cancelled. */
export function askReason(): Promise<string | undefined> {
  asked ??= new Promise<string | undefined>((resolve) => show({ close: resolve })).finally(() => {
    show(undefined);
    if (runs === 0) asked = undefined;
  });
  return asked;
}

/** Does work of several writes, for which the user is asked once. */
export async function withOneReason<T>(work: () => Promise<T>): Promise<T> {
  runs += 1;
  try {
    return await work();
  } finally {
    runs -= 1;
    if (runs === 0) asked = undefined;
  }
}

/** The open question; for `useSyncExternalStore`. */
export const openQuestion = (): ReasonQuestion | undefined => question;

/** Calls the listener, of which there is one, when a question is opened or closed. */
export function onQuestion(change: () => void): () => void {
  listener = change;
  return () => {
    listener = () => undefined;
  };
}
