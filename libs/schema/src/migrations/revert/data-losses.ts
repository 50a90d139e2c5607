import { alterTableLosses } from './alter-table-losses.ts';
import { isKeepingRetype } from './keeps-values.ts';
import { rowLosses } from './row-losses.ts';
import { type SqlToken, splitStatements } from './split-statements.ts';
import { TokenReader } from './token-reader.ts';

/** Number of tokens of an unknown statement that a message quotes. */
const SHOWN_TOKENS = 4;

/** First words of statements that change no data, except by other statements inside them. */
const KEEPING = new Set(
  'ANALYZE CLUSTER COMMENT CREATE GRANT INSERT LOCK NOTIFY REFRESH REINDEX RESET REVOKE SECURITY SET WITH'.split(' '),
);

/** Objects whose alteration keeps all data or fails. */
const ALTERABLE = new Set(
  (
    'AGGREGATE COLLATION CONVERSION DEFAULT DOMAIN EVENT FUNCTION GROUP INDEX MATERIALIZED OPERATOR POLICY PROCEDURE ' +
    'PUBLICATION ROLE ROUTINE RULE SCHEMA STATISTICS TEXT TRIGGER USER VIEW'
  ).split(' '),
);

/** Objects without data on which no data depends. */
const DROPPABLE = new Set('EVENT INDEX POLICY ROLE GROUP RULE STATISTICS TRIGGER USER'.split(' '));

/**
 * Objects without data on which columns may depend: then dropping the object fails, or with `CASCADE` drops the columns
 * too.
 */
const DROPPABLE_ALONE = new Set(
  'AGGREGATE COLLATION CONVERSION DOMAIN FUNCTION MATERIALIZED PROCEDURE ROUTINE TYPE VIEW'.split(' '),
);

/**
 * One sentence for each permanent data loss that the statements can cause, independent of the content of the tables. A
 * statement that is not known to keep the data counts as a loss: a block of code, a call, an unknown statement. Bodies
 * of created functions are not inspected. Each text may contain several statements. Pure.
 *
 * @param undo the statements that undo them, which name the former types of columns
 */
export const dataLossesOf = (statements: readonly string[], undo: readonly string[] = []): readonly string[] =>
  statements
    .filter((each) => !isKeepingRetype(each, undo))
    .flatMap(splitStatements)
    .flatMap((tokens) => lossesOf(tokens) ?? [notKnown(tokens)]);

const notKnown = (tokens: readonly SqlToken[]): string =>
  `what "${tokens.slice(0, SHOWN_TOKENS).join(' ')}" does to data is not known`;

/** Undefined if the statement is unknown. */
function lossesOf(tokens: readonly SqlToken[]): readonly string[] | undefined {
  const reader = new TokenReader(tokens);
  const first = reader.keyword();
  switch (first) {
    case 'DROP':
      return dropLosses(reader);
    case 'ALTER':
      return alterLosses(reader);
    case 'TRUNCATE':
      reader.takes('TABLE');
      return reader.parts().map((part) => `the rows of ${part.table()} are removed`);
    case 'SELECT':
    case 'TABLE':
    case 'VALUES':
      return callsFunction(tokens) ? undefined : rowLosses(tokens);
    case 'DELETE':
    case 'UPDATE':
    case 'MERGE': {
      const losses = rowLosses(tokens);
      return losses.length === 0 ? undefined : losses;
    }
    default:
      if (!KEEPING.has(first)) return undefined;
      return first === 'CREATE' && makesCode(reader) ? [] : rowLosses(tokens);
  }
}

/** A function may do anything; everything with call syntax counts as one. */
const callsFunction = (tokens: readonly SqlToken[]): boolean =>
  tokens.some((token, index) => tokens[index + 1] === '(' && /^[\w"\u0080-\uffff]/.test(token));

/** Whether the statement creates code that runs later, if ever. */
function makesCode(reader: TokenReader): boolean {
  reader.takes('OR', 'REPLACE');
  return reader.sees('FUNCTION') || reader.sees('PROCEDURE') || reader.sees('RULE');
}

function dropLosses(reader: TokenReader): readonly string[] | undefined {
  const kind = reader.keyword();
  if (DROPPABLE.has(kind)) return [];
  const cascades = reader.has('CASCADE');
  if (DROPPABLE_ALONE.has(kind) && !cascades) return [];
  const called = kind === 'MATERIALIZED' && reader.takes('VIEW') ? 'materialized view' : kind.toLowerCase();
  reader.takes('IF', 'EXISTS');
  const names = reader.parts().map((part) => part.name());
  if (DROPPABLE_ALONE.has(kind))
    return names.map((name) => `what depends on ${called} ${name} is dropped with it, columns too`);
  if (kind === 'TABLE') return names.map((name) => `${name} is dropped with its rows`);
  if (kind === 'SCHEMA') return cascades ? names.map((name) => `schema ${name} is dropped with all its tables`) : [];
  if (kind === 'SEQUENCE') return names.map((name) => `sequence ${name} is dropped with the number it has reached`);
  return undefined;
}

function alterLosses(reader: TokenReader): readonly string[] | undefined {
  const kind = reader.keyword();
  if (kind === 'TABLE') return alterTableLosses(reader);
  if (ALTERABLE.has(kind)) return [];
  reader.takes('IF', 'EXISTS');
  const name = reader.name();
  if (kind === 'SEQUENCE') return reader.has('RESTART') ? [`sequence ${name} gives numbers anew`] : [];
  if (kind !== 'TYPE') return undefined;
  return reader.parts().some((part) => part.sees('DROP') || part.sees('ALTER'))
    ? [`values of type ${name} lose or change an attribute`]
    : [];
}
