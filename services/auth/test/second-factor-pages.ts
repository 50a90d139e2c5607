import { DECISION_FIELD } from '@lintel/login';
import { TOTP } from 'otpauth';
import { type Browser, fieldsOf } from './login-pages.ts';

const STEP_MS = 30_000;

/** The authenticator app of a user: each code is that of a step which was not used before. */
export class App {
  readonly secret: string;
  #late = 0;

  constructor(secret: string) {
    this.secret = secret;
  }

  /** @param steps after the current time */
  code(steps = 0): string {
    return new TOTP({ secret: this.secret }).generate({ timestamp: Date.now() + steps * STEP_MS });
  }

  /** The next code that was not used: at most two in a row are accepted. */
  next(): string {
    const code = this.code(this.#late);
    this.#late += 1;
    return code;
  }
}

/** The secret that a page shows. */
export const secretOf = (page = ''): string => (/<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '');

/** The recovery codes that a page shows. */
export const recoveryCodesOf = (page = ''): readonly string[] =>
  [...page.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = '']) => code);

/** Sends a form of the second factor. */
export const sendFactor = async (
  browser: Browser,
  page: string,
  decision: string,
  form: Record<string, string> = {},
): Promise<Awaited<ReturnType<Browser['follow']>>> => {
  const { action, proof } = fieldsOf(page);
  return browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: decision, ...form }));
};
