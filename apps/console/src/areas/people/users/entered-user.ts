import type { User } from './user.ts';

export const TEXT_ATTRIBUTES = ['firstName', 'lastName', 'email', 'locale', 'country'] as const;

/** A user as a form has it: texts without a value are empty. */
export type EnteredUser = Record<'username' | 'password' | (typeof TEXT_ATTRIBUTES)[number], string> & {
  active: boolean;
};

/** The input that a form begins with; of a new user without one. */
export const enteredUser = (user: User | undefined): EnteredUser => ({
  username: user?.username ?? '',
  password: '',
  active: user?.active ?? true,
  ...(Object.fromEntries(TEXT_ATTRIBUTES.map((name) => [name, user?.[name] ?? ''])) as Record<
    (typeof TEXT_ATTRIBUTES)[number],
    string
  >),
});

/** Whether a caller may change any attribute of the form. */
export const isChangeable = (mayModify: (attribute: string) => boolean): boolean =>
  Object.keys(enteredUser(undefined)).some(mayModify);

/** The attributes as they are sent: those that the caller may change, and a password only if one was entered. */
export function writtenUser(
  { password, ...given }: EnteredUser,
  mayModify: (attribute: string) => boolean,
): Readonly<Record<string, unknown>> {
  const changed = Object.entries(given).filter(([name]) => mayModify(name));
  const written = Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
  return { ...written, ...(password !== '' && { password }) };
}
