import { quoteConstant } from './statement-text.ts';

/**
 * An expression of type JSON that always fails: SQL has no other way to fail without a function in the database.
 * `translateDatabaseError` of `@lintel/persistence` reads the message.
 *
 * @param collection `<entity>.<attribute>` of the collection that is too large
 * @param measure an expression over the rows: a constant would fail while the statement is planned
 */
export const writeRefusal = (kind: 'rows' | 'bytes', collection: string, measure: string): string =>
  `to_json((${quoteConstant(`lintel-bound ${kind} ${collection} `)} || (${measure})::text)::integer)`;
