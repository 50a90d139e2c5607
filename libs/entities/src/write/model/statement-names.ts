import { hash } from 'node:crypto';

/** Texts depend on the model and on which attributes change together; more than this are not worth a name. */
const MAX_TEXTS = 1_000;

/** Names of the statements that are run repeatedly: connections keep a named statement prepared. */
export class StatementNames {
  /** Texts that have been run; those that were run twice have a name. */
  readonly #names = new Map<string, string | undefined>();

  /** The name of a text; undefined the first time. The same text has the same name in all versions of the model. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.has(text)) {
      const name = `write_${hash('sha256', text, 'base64url').slice(0, 20)}`;
      this.#names.set(text, name);
      return name;
    }
    if (this.#names.size < MAX_TEXTS) this.#names.set(text, undefined);
    return undefined;
  }
}
