/** The values of `db.operation.name`; the application chooses the texts, so there is one name for all others. */
const OPERATIONS = ['SELECT', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'BEGIN', 'COMMIT', 'ROLLBACK'] as const;

export type Operation = (typeof OPERATIONS)[number] | '_OTHER';

/** The operation of a statement: its first word, where it is one of the frequent ones. */
export function operationOf(text: string): Operation {
  // Nearly all statements begin with the word itself: comparing creates no text, this is called for each statement.
  for (const operation of OPERATIONS) if (text.startsWith(operation)) return operation;
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase();
  return OPERATIONS.find((operation) => operation === word) ?? '_OTHER';
}
