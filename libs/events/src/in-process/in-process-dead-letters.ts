import type { Envelope } from '@lintel/contracts';
import { deadLetterKey } from '../administration/dead-letter-key.ts';
import type { KeyedDeadLetter } from '../administration/event-administration.ts';
import { encodeEnvelope } from '../delivery/envelope-codec.ts';

/** More than an operator looks at; the oldest are dropped, with a line in the log. */
const MAX_LETTERS = 1_000;

export interface HeldLetter {
  readonly letter: KeyedDeadLetter;
  readonly content: Buffer;
}

/** The dead letters of a bus in memory; they end with the process, as its events do. */
export class InProcessDeadLetters {
  readonly #letters = new Map<string, HeldLetter>();
  readonly #onDropped: (letter: KeyedDeadLetter) => void;

  constructor(onDropped: (letter: KeyedDeadLetter) => void) {
    this.#onDropped = onDropped;
  }

  add(queue: string, envelope: Envelope, now: Date): void {
    const content = encodeEnvelope(envelope);
    const { id, type, subject } = envelope;
    const service = queue.slice(0, Math.max(0, queue.indexOf('.'))) || queue;
    const bare = { service, id, type, subject, queue, reason: 'rejected', time: now };
    const key = deadLetterKey(bare, content);
    this.#letters.set(key, { letter: { ...bare, key }, content });
    const [oldest] = this.#letters.values();
    if (this.#letters.size <= MAX_LETTERS || oldest === undefined) return;
    this.#letters.delete(oldest.letter.key);
    this.#onDropped(oldest.letter);
  }

  get size(): number {
    return this.#letters.size;
  }

  list(): readonly KeyedDeadLetter[] {
    return [...this.#letters.values()].map(({ letter }) => letter);
  }

  get(key: string): HeldLetter | undefined {
    return this.#letters.get(key);
  }

  remove(key: string): boolean {
    return this.#letters.delete(key);
  }
}
